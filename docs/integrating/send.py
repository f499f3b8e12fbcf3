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
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            text = error.read()
            is_in_use = b"IDEMPOTENCY_KEY_IN_USE" in text
            if error.code != 429 and error.code < 500 and not is_in_use:
                return error.code, text
            wait = int(error.headers.get("Retry-After", pause))
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
