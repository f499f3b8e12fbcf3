from __future__ import annotations

import base64
import hashlib
import hmac
import json
import unittest

from contact_hub_client import WebhookVerificationError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BYTES = base64.b64decode(SECRET.removeprefix("whsec_"))
BODY = json.dumps({"id": "e1", "event": "test", "webhook_id": "é"}).encode()
NOW = 1_795_167_060


def signed(key: bytes, timestamp: int = NOW) -> dict[str, str]:
    digest = hmac.new(key, f"e1.{timestamp}.".encode() + BODY, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return {"Webhook-Id": "e1", "Webhook-Timestamp": str(timestamp), "Webhook-Signature": signature}


class WebhookTest(unittest.TestCase):
    def test_an_event_that_is_signed_with_one_of_the_secrets_is_returned(self) -> None:
        self.assertEqual(verify_webhook(BODY, signed(BYTES), SECRET, now=NOW)["event"], "test")
        headers = signed(b"correct horse battery")
        headers["Webhook-Signature"] = "v2,x v1,? " + headers["Webhook-Signature"]
        verify_webhook(BODY, headers, [SECRET, "correct horse battery"], now=NOW)

    def test_a_secret_in_another_spelling_of_base64_stands_for_its_own_bytes(self) -> None:
        for secret in ("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGB==", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA"):
            verify_webhook(BODY, signed(secret.encode()), secret, now=NOW)
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(BODY, signed(bytes(range(25))), secret, now=NOW)
        verify_webhook(BODY, signed(bytes(range(25))), "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA==", now=NOW)

    def test_any_other_one_is_refused(self) -> None:
        good = signed(BYTES)
        for body, headers, secret in [
            (BODY + b" ", good, SECRET),
            (BODY, good, "another secret of 16"),
            (BODY, good, ""),
            (BODY, good, []),
            (BODY, {}, SECRET),
            (BODY, {**good, "Webhook-Signature": ""}, SECRET),
            (BODY, {**good, "Webhook-Signature": "v1,é"}, SECRET),
            (BODY, {**good, "Webhook-Id": "e2"}, SECRET),
            (BODY, {**good, "Webhook-Timestamp": str(NOW + 1)}, SECRET),
            (BODY, {**good, "Webhook-Timestamp": "²"}, SECRET),
            (BODY, signed(BYTES, NOW - 301), SECRET),
            (BODY, signed(BYTES, NOW + 301), SECRET),
        ]:
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(body, headers, secret, now=NOW)
