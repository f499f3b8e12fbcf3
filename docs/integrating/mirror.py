"""Keeps a copy of the contacts in a file. Run it again and again; when it fails, the next run goes on.

HUB=https://hub.example KEY=... python3 mirror.py copy.json
"""

import json
import os
import sys
import urllib.error
import urllib.request


def call(path: str, body=None):
    """Numbers are read as texts, because a float would lose digits."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {os.environ['KEY']}", "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["HUB"] + path, data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer, parse_int=str, parse_float=str)


def changes(after: str):
    return call("/api/manage/v1/changes?page[size]=1000&after=" + after)


def store(copy, contacts):
    """The keys of fields never change, unlike their names."""
    for contact in contacts:
        values = {value["key"]: value["value"] for value in contact["field_values"]}
        copy["contacts"][contact["id"]] = {**contact, "field_values": values}


def first_copy():
    """The cursor must be from before the contacts are read."""
    copy = {"cursor": changes("latest")["meta"]["next"], "contacts": {}}
    after = ""
    while after is not None:
        path = "/api/public/v1/contacts?include=field_values&page[size]=100&page[after]="
        part = call(path + after)
        store(copy, part["data"])
        after = part["meta"]["next"]
    return copy


def look_up(copy, ids):
    """Stores contacts as they are now. If their values are too many for one call, each half is looked up."""
    try:
        found = call("/api/public/v1/contacts/lookup", {"ids": ids})
    except urllib.error.HTTPError as error:
        if error.code != 422 or len(ids) == 1:
            raise
        half = len(ids) // 2
        look_up(copy, ids[:half])
        look_up(copy, ids[half:])
    else:
        store(copy, found["data"])
        for gone in found["meta"]["missing"]:
            copy["contacts"].pop(gone, None)


def follow(copy):
    """Applies all changes since the last run."""
    while True:
        page = changes(copy["cursor"])
        entries = [entry for entry in page["data"] if entry["type"].startswith("contact.")]
        if entries:
            look_up(copy, sorted({entry["object_id"] for entry in entries}))
        copy["cursor"] = page["meta"]["next"]
        if not page["data"]:
            return copy


if __name__ == "__main__":
    file = sys.argv[1]
    copy = json.load(open(file)) if os.path.exists(file) else first_copy()
    try:
        follow(copy)
    except urllib.error.HTTPError as error:
        if error.code != 410:
            raise
        copy = follow(first_copy())  # The cursor has expired.
    with open(file + ".new", "w") as new:
        json.dump(copy, new)
    os.replace(file + ".new", file)
