"""Sends a POST that is done once, however often it is repeated.

HUB=https://hub.example KEY=... python3 send.py PATH IDEMPOTENCY_KEY < body.json
"""

import http.client
import os
import sys
import time
import urllib.error
import urllib.request


def send(url: str, key: str, body: bytes, idempotency_key: str) -> tuple[int, bytes]:
    """Repeats the call until its answer is final. Store the idempotency key before you send."""
    headers = {
        "Authorization": f"Bearer {key}",
        "Content-Type": "application/json",
        "Idempotency-Key": idempotency_key,
    }
    pause = 1
    while True:
        wait = pause
        try:
            request = urllib.request.Request(url, data=body, headers=headers)
            try:
                answer = urllib.request.urlopen(request, timeout=60)
            except urllib.error.HTTPError as error:
                answer = error  # It is read like any other answer.
            with answer:
                text = answer.read()
            is_in_use = answer.status == 409 and b"IDEMPOTENCY_KEY_IN_USE" in text
            if answer.status not in (408, 429) and answer.status < 500 and not is_in_use:
                return answer.status, text
            seconds = answer.headers.get("Retry-After", "")
            wait = int(seconds) if seconds.isdecimal() else pause
        except (OSError, http.client.HTTPException):
            pass  # Without an answer nobody knows whether the call was done.
        time.sleep(wait)
        pause = min(2 * pause, 60)


if __name__ == "__main__":
    path, idempotency_key = sys.argv[1:]
    url, key = os.environ["HUB"] + path, os.environ["KEY"]
    status, answer = send(url, key, sys.stdin.buffer.read(), idempotency_key)
    sys.stdout.buffer.write(answer)
    sys.exit(0 if status < 300 else 1)
