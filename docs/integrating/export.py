"""Exports all contacts, each once, also when connections break off.

HUB=https://hub.example KEY=... python3 export.py > contacts.ndjson
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request


def export(hub: str, key: str):
    """Yields the lines: each is a contact and its values. Filters, sorts and search can be added to the address."""
    after = ""
    while True:
        url = f"{hub}/api/public/v1/contacts/export?page[after]={after}"
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {key}"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                for line in answer:
                    if not line.endswith(b"\n"):
                        raise http.client.IncompleteRead(line)
                    after = json.loads(line)["_cursor"]
                    yield line
            return
        except urllib.error.HTTPError as error:
            if error.code != 429 and error.code < 500:
                raise
            seconds = error.headers.get("Retry-After", "")
            time.sleep(int(seconds) if seconds.isdecimal() else 5)
        except (OSError, http.client.HTTPException):
            time.sleep(1)  # It broke off. The export goes on after the last whole line.


if __name__ == "__main__":
    sys.stdout.buffer.writelines(export(os.environ["HUB"], os.environ["KEY"]))
