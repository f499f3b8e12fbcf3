"""Erases a person, and writes what was stored of them to standard output.

HUB=https://hub.example KEY=... python3 erase.py EMAIL > known.json
"""

import json
import os
import sys
import urllib.request


def call(path: str, body=None) -> bytes:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {os.environ['KEY']}", "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["HUB"] + path, data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


def erase(email: str) -> bytes | None:
    """Returns what was stored; None if no contact has the email. With `block` the email cannot come back."""
    found = json.loads(call("/api/public/v1/contacts/lookup", {"emails": [email]}))
    for contact in found["data"]:
        path = f"/api/manage/v1/contacts/{contact['id']}"
        known = call(f"{path}/everything")
        call(f"{path}/erase", {"block": True})
        return known


if __name__ == "__main__":
    known = erase(sys.argv[1])
    sys.stdout.buffer.write(known or b"")
    sys.exit(0 if known else 1)
