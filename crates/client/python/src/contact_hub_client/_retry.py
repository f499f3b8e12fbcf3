"""Whether and when a call is tried again."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_PASSING = frozenset({408, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Retries:
    """The limits of retries; times are in seconds."""

    #: How often a call is tried in all.
    attempts: int = 4
    #: The first pause; each further one is twice as long.
    first_pause: float = 0.25
    #: The longest pause. An answer that asks for a longer one is an error at once.
    longest_pause: float = 30.0

    def pause(self, failed: int, asked: float | None, chance: Callable[[], float] = random.random) -> float | None:
        """The pause before the next attempt, or None when there is none.

        It is at least what the answer asks for, and else random up to a limit that doubles, so that many clients do not
        return together.
        """
        if failed >= self.attempts or (asked or 0) > self.longest_pause:
            return None
        limit = min(self.longest_pause, self.first_pause * 2.0 ** (failed - 1))
        return (asked or 0) + chance() * limit


def may_pass(status: int, code: str | None) -> bool:
    """Whether the same call may succeed later."""
    return status in _PASSING or code == "IDEMPOTENCY_KEY_IN_USE"


def retry_after(text: str | None, now: datetime | None = None) -> float | None:
    """What `Retry-After` asks for, in seconds; it holds seconds or a date."""
    text = (text or "").strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
