"""What may go wrong. No error contains the API key or a webhook's secret."""

from __future__ import annotations

from typing import Any


class ContactHubError(Exception):
    """The base of all errors of this client."""


class ConnectionFailed(ContactHubError):
    """There was no answer: the service could not be reached, the answer broke off, or it took too long."""


class WebhookVerificationError(ContactHubError):
    """A webhook is not from the service, or is too old."""


class AnswerError(ContactHubError):
    """The service answered with an error."""

    def __init__(self, status: int, request_id: str | None, body: Any) -> None:
        body = body if isinstance(body, dict) else {}
        error = _object(body.get("error"))
        errors = body.get("errors")
        invalid = _object(errors[0] if isinstance(errors, list) and errors else None)
        #: The HTTP status.
        self.status = status
        #: The code to branch on; None with status 422 for what is invalid, and with 429.
        self.code: str | None = error.get("code")
        #: With status 422: messages by the dotted path of the field.
        self.invalid: dict[str, list[str]] = invalid.get("meta") or {}
        #: The call in the service's logs.
        self.request_id = request_id
        #: The body of the answer.
        self.body: dict[str, Any] = body
        message = error.get("message") or invalid.get("details") or body.get("message")
        super().__init__(f"{status} {self.code or '-'}: {message or 'The answer gives no reason.'}")


def _object(value: Any) -> dict[str, Any]:
    """An object, or an empty one: a proxy in between may answer in a form of its own."""
    return value if isinstance(value, dict) else {}
