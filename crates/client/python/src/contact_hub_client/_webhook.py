"""Whether a webhook is from the service, unchanged and recent."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from typing import TypeAlias, cast

from . import types
from ._errors import WebhookVerificationError

#: An event that a webhook receives. Later versions may have more.
WebhookEvent: TypeAlias = (
    types.SyncRequestedEvent
    | types.ContactsChangedEvent
    | types.FieldsChangedEvent
    | types.SyncsChangedEvent
    | types.AlertRaisedEvent
    | types.TestEvent
)


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: str | Iterable[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies the headers of the Standard Webhooks specification, in constant time; returns the event.

    `body` is the body exactly as it was received. During a rotation `secret` has both secrets. `tolerance` is by how many
    seconds the clocks may differ, and how old an attempt may be.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        event, timestamp, signatures = (lower[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError:
        raise WebhookVerificationError("a webhook header is missing") from None
    is_number = timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 16
    if not is_number or abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookVerificationError("the webhook is too old, or the clocks differ")
    signed = f"{event}.{timestamp}.".encode() + body
    given = [decoded for it in signatures.split() if it.startswith("v1,") and (decoded := _decoded(it[3:]))]
    for one in [secret] if isinstance(secret, str) else secret:
        expected = hmac.new(_key(one), signed, hashlib.sha256).digest()
        if any(hmac.compare_digest(expected, signature) for signature in given):
            return cast(WebhookEvent, json.loads(body))
    raise WebhookVerificationError("no signature of the webhook is valid")


def _key(secret: str) -> bytes:
    """A secret of the form `whsec_` stands for 24 to 64 bytes; any other one for its own."""
    if len(secret) < 16:  # Without a secret, anybody could sign.
        raise WebhookVerificationError("the secret is too short")
    decoded = _decoded(secret.removeprefix("whsec_")) if secret.startswith("whsec_") else None
    return decoded if decoded and 24 <= len(decoded) <= 64 else secret.encode()


def _decoded(text: str) -> bytes | None:
    """The bytes that are written like this; None for other spellings, which the service does not decode either."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return decoded if base64.b64encode(decoded) == text.encode() else None
