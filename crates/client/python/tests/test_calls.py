"""Calls without a service."""

from __future__ import annotations

import asyncio
import json
import time
import unittest
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import httpx

from contact_hub_client import AnswerError, AsyncContactHub, ConnectionFailed, ContactHub, ContactHubError, Retries, types
from contact_hub_client._retry import retry_after

PERSON: types.ContactInput = {"email": "a@example.com", "first_name": "A", "last_name": "B"}


class Stub:
    """Answers calls with these, one after the other; the last one is repeated."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.deprecated: list[tuple[str, str | None]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    def hub(self, **options: Any) -> ContactHub:
        def warn(operation: str, sunset: str | None) -> None:
            self.deprecated.append((operation, sunset))

        transport = httpx.MockTransport(self)
        retries = Retries(first_pause=0.001)
        return ContactHub(
            "https://hub.example/", "hub_secret", retries=retries, on_deprecated=warn, transport=transport, **options
        )


def error(status: int, code: str, **headers: str) -> httpx.Response:
    body = {"error": {"code": code, "message": "Because."}}
    return httpx.Response(status, json=body, headers={name.replace("_", "-"): it for name, it in headers.items()})


class CallTest(unittest.TestCase):
    def test_what_may_pass_is_tried_again_under_one_key(self) -> None:
        limited = httpx.Response(429, json={"message": "Too many", "type": "rate_limit_exceeded"})
        busy = error(409, "IDEMPOTENCY_KEY_IN_USE", retry_after="0")
        stub = Stub(httpx.ConnectError("refused"), limited, busy, httpx.Response(201, json={"data": {"id": "x"}}))
        self.assertEqual(stub.hub().create_contact(PERSON).data["id"], "x")
        keys = {request.headers["idempotency-key"] for request in stub.requests}
        self.assertEqual((len(stub.requests), len(keys)), (4, 1))

    def test_what_cannot_pass_is_not_tried_again(self) -> None:
        stub = Stub(error(409, "CONTACT_ALREADY_EXISTS"))
        with self.assertRaisesRegex(AnswerError, "^409 CONTACT_ALREADY_EXISTS: Because.$"):
            stub.hub().create_contact(PERSON, idempotency_key="mine")
        self.assertEqual([it.headers["idempotency-key"] for it in stub.requests], ["mine"])

    def test_attempts_and_the_pauses_that_are_asked_for_are_limited(self) -> None:
        never = Stub(httpx.ReadTimeout("late"))
        with self.assertRaisesRegex(ConnectionFailed, "takes too long"):
            never.hub().list_fields()
        self.assertEqual(len(never.requests), 4)
        long = Stub(error(503, "SERVICE_UNAVAILABLE", retry_after="3600"))
        with self.assertRaises(AnswerError):
            long.hub().list_fields()
        self.assertEqual(len(long.requests), 1)

    def test_the_time_of_an_attempt_is_limited_as_a_whole(self) -> None:
        async def drip() -> Any:
            while True:
                await asyncio.sleep(0.01)
                yield b" "

        async def slow(request: httpx.Request) -> httpx.Response:
            return httpx.Response(200, content=drip())

        async def call() -> None:
            transport = httpx.MockTransport(slow)
            retries = Retries(attempts=1)
            async with AsyncContactHub("http://x", "k", timeout=0.1, retries=retries, transport=transport) as hub:
                await hub.list_fields()

        with self.assertRaisesRegex(ConnectionFailed, "takes too long"):
            asyncio.run(call())

        def parts() -> Any:
            while True:
                time.sleep(0.01)
                yield b" "

        transport = httpx.MockTransport(lambda request: httpx.Response(200, content=parts()))
        with ContactHub("http://x", "k", timeout=0.1, retries=Retries(attempts=1), transport=transport) as hub:
            with self.assertRaisesRegex(ConnectionFailed, "takes too long"):
                hub.list_fields()

    def test_an_answer_that_is_no_json_is_an_error_with_its_status(self) -> None:
        with self.assertRaises(AnswerError) as caught:
            Stub(httpx.Response(413, content=b"<html>")).hub().list_fields()
        self.assertEqual((caught.exception.status, caught.exception.code), (413, None))
        with self.assertRaises(ConnectionFailed):
            Stub(httpx.Response(200, content=b"<html>")).hub().list_fields()

    def test_only_a_line_feed_ends_a_line_of_an_export(self) -> None:
        people = [{"id": "1", "first_name": "A\u2028B\u0085C", "_cursor": "x"}, {"id": "2", "_cursor": "y"}]
        content = "".join(json.dumps(it, ensure_ascii=False) + "\n" for it in people).encode()
        stub = Stub(httpx.Response(200, content=content))
        self.assertEqual(list(stub.hub().export()), people)
        self.assertEqual(len(stub.requests), 1)

        async def exported() -> list[Any]:
            async with AsyncContactHub("https://hub.example", "k", transport=httpx.MockTransport(stub)) as hub:
                return [it async for it in hub.export()]

        self.assertEqual(asyncio.run(exported()), people)

    def test_an_export_without_the_end_of_its_last_line_goes_on(self) -> None:
        broken = httpx.Response(200, content=b'{"id": "1", "_cursor": "x"}\n{"id": "2"')
        stub = Stub(broken, httpx.Response(200, content=b'{"id": "2", "_cursor": "y"}\n'))
        self.assertEqual([it["id"] for it in stub.hub().export()], ["1", "2"])
        self.assertEqual(stub.requests[1].url.params["page[after]"], "x")
        number = httpx.Response(200, content=b"2")
        with self.assertRaisesRegex(ConnectionFailed, "broke off"):
            list(Stub(number).hub().export())

    def test_a_number_keeps_its_digits(self) -> None:
        numbers = '{"a": 0.12345678901234567890123, "b": 1e400, "c": 9007199254740993, "d": 12.50}'
        content = ('{"data": {"field_values": [{"value": ' + numbers + "}]}}").encode()
        stub = Stub(httpx.Response(200, content=content))
        values: Any = stub.hub().read_contact("x").data["field_values"][0]["value"]
        self.assertEqual(values["b"], Decimal("1e400"))
        self.assertEqual(values["c"], 9007199254740993)
        stub.hub().change_contact("x", {"field_values": {**values, "e": 0.5}})
        written = numbers.replace("1e400", "1E+400").replace("}", ', "e": 0.5}')
        self.assertEqual(stub.requests[1].content.decode(), '{"field_values": ' + written + "}")

        exported = Stub(httpx.Response(200, content=b'{"id": 1e400, "_cursor": "x"}\n'))
        self.assertEqual([it["id"] for it in exported.hub().export()], [Decimal("1e400")])

    def test_a_number_that_is_not_finite_is_refused(self) -> None:
        stub = Stub(httpx.Response(200, json={"data": {}}))
        for number in (float("inf"), float("nan"), Decimal("Infinity"), Decimal("NaN"), Decimal("sNaN")):
            with self.assertRaisesRegex(ContactHubError, "^changeContact: the body cannot be written as JSON"):
                stub.hub().change_contact("x", {"field_values": {"a": number}})
        self.assertEqual(stub.requests, [])

    def test_an_answer_that_cannot_be_decoded_is_no_answer(self) -> None:
        requests: list[httpx.Request] = []

        def answer(request: httpx.Request) -> httpx.Response:
            requests.append(request)
            return httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip"))

        transport, retries = httpx.MockTransport(answer), Retries(attempts=2, first_pause=0.001)
        with ContactHub("https://hub.example", "k", retries=retries, transport=transport) as hub:
            with self.assertRaises(ConnectionFailed):
                hub.list_fields()
            with self.assertRaises(ConnectionFailed):
                list(hub.export())
        self.assertEqual(len(requests), 4)

        async def call() -> None:
            async with AsyncContactHub("https://hub.example", "k", retries=retries, transport=transport) as hub:
                with self.assertRaises(ConnectionFailed):
                    await hub.list_fields()
                with self.assertRaises(ConnectionFailed):
                    [it async for it in hub.export()]

        asyncio.run(call())

    def test_the_length_of_an_error_is_limited(self) -> None:
        stub = Stub(httpx.Response(404, content=b"x" * 2000))
        with patch("contact_hub_client._client.LONGEST_BODY", 1000), self.assertRaisesRegex(ConnectionFailed, "too long"):
            list(stub.hub().export())

        async def call() -> None:
            async with AsyncContactHub("https://hub.example", "k", transport=httpx.MockTransport(stub)) as hub:
                [it async for it in hub.export()]

        with patch("contact_hub_client._async_client.LONGEST_BODY", 1000):
            with self.assertRaisesRegex(ConnectionFailed, "too long"):
                asyncio.run(call())

    def test_a_call_that_the_service_holds_may_take_longer(self) -> None:
        async def hold(request: httpx.Request) -> httpx.Response:
            held.append(request.extensions["timeout"]["read"])
            await asyncio.sleep(0.2)
            return httpx.Response(200, json={"data": [{"id": "x"}], "meta": {"next": "y"}})

        held: list[float] = []

        async def call() -> None:
            transport = httpx.MockTransport(hold)
            async with AsyncContactHub("http://x", "k", timeout=0.1, transport=transport) as hub:
                await anext(hub.changes())

        asyncio.run(call())
        stub = Stub(httpx.Response(200, json={"data": [{"id": "x"}], "meta": {"next": "y"}}))
        next(stub.hub(timeout=0.1).changes())
        held.append(stub.requests[0].extensions["timeout"]["read"])
        self.assertEqual(held, [25.1, 25.1])

    def test_an_error_of_a_proxy_has_its_status(self) -> None:
        bodies: list[Any] = [{"error": "upstream"}, {"errors": {"a": 1}}, {"errors": []}, {"errors": ["x"]}, []]
        for body in bodies:
            stub = Stub(httpx.Response(502, json=body))
            with self.assertRaises(AnswerError) as caught:
                stub.hub().list_fields()
            self.assertEqual((caught.exception.status, len(stub.requests)), (502, 4))

    def test_a_redirect_is_not_followed(self) -> None:
        stub = Stub(httpx.Response(307, headers={"Location": "https://other.example/"}))
        with self.assertRaises(AnswerError):
            stub.hub().list_fields()
        self.assertEqual({request.url.host for request in stub.requests}, {"hub.example"})

    def test_parameters_are_one_segment_and_lists_and_objects_have_brackets(self) -> None:
        stub = Stub(httpx.Response(200, json={"data": []}))
        hub = stub.hub()
        hub.read_contact("a/../b?c")
        hub.list_contacts(query={"sort[]": ["email", "-created_at"], "filter": {"field:jobTitle": "x&y"}})
        with self.assertRaises(ContactHubError):
            hub.read_contact("..")
        first, second = (request.url for request in stub.requests)
        self.assertEqual(first.raw_path, b"/api/public/v1/contacts/a%2F..%2Fb%3Fc")
        self.assertEqual(second.params.get_list("sort[]"), ["email", "-created_at"])
        self.assertEqual(second.params["filter[field:jobTitle]"], "x&y")

    def test_the_end_of_an_operation_is_announced(self) -> None:
        headers = {"Deprecation": "@1795167060", "Sunset": "Wed, 01 Dec 2027 00:00:00 GMT"}
        stub = Stub(httpx.Response(200, json={"data": []}, headers=headers))
        stub.hub().list_fields()
        self.assertEqual(stub.deprecated, [("listFields", headers["Sunset"])])

    def test_an_address_or_a_key_that_cannot_be_used_is_refused_without_repeating_the_key(self) -> None:
        for base, key in [("ftp://x", "hub_k"), ("https://u:p@x", "hub_k"), ("https://x", "hub k"), ("https://x", "")]:
            with self.assertRaises(ContactHubError) as caught:
                ContactHub(base, key)
            self.assertNotIn("hub k", str(caught.exception))
        self.assertNotIn("hub_secret", repr(vars(Stub(httpx.Response(200)).hub())))

    def test_retry_after_holds_seconds_or_a_date_and_a_pause_is_at_least_that_long(self) -> None:
        now = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
        cases = {"7": 7.0, "Fri, 20 Nov 2026 09:30:05 GMT": 5.0, "Fri, 20 Nov 2026 09:00:00 GMT": 0.0, "soon": None}
        for text, seconds in cases.items():
            self.assertEqual(retry_after(text, now), seconds)
        full: Callable[[], float] = lambda: 1.0
        retries = Retries()
        self.assertEqual([retries.pause(n, None, full) for n in (1, 2, 3, 4)], [0.25, 0.5, 1.0, None])
        self.assertEqual(retries.pause(1, 7.0, lambda: 0.0), 7.0)
        self.assertIsNone(retries.pause(1, 30.1, full))
