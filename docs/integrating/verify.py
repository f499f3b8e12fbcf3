"""Whether a webhook is from Contact Hub and unchanged.

WEBHOOK_SECRET=... python3 verify.py SIGNATURE [PREVIOUS] < body
"""

import hashlib
import hmac
import os
import sys


def verify(secret: str, body: bytes, *signatures: str) -> bool:
    """`body` is the raw body, `signatures` the values of Service-Signature and Service-Signature-Previous."""
    if len(secret) < 16:
        return False  # Without a secret, anybody could sign.
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(expected.encode(), given.encode()) for given in signatures)


if __name__ == "__main__":
    body = sys.stdin.buffer.read()
    sys.exit(0 if verify(os.environ["WEBHOOK_SECRET"], body, *sys.argv[1:]) else 1)
