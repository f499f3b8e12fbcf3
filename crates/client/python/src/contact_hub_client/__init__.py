"""A client of Contact Hub."""

from . import types
from ._async_client import AsyncContactHub
from ._client import ContactHub
from ._core import Reply
from ._errors import AnswerError, ConnectionFailed, ContactHubError, WebhookVerificationError
from ._retry import Retries
from ._webhook import WebhookEvent, verify_webhook

__all__ = [
    "AnswerError",
    "AsyncContactHub",
    "ConnectionFailed",
    "ContactHub",
    "ContactHubError",
    "Reply",
    "Retries",
    "WebhookEvent",
    "WebhookVerificationError",
    "types",
    "verify_webhook",
]
