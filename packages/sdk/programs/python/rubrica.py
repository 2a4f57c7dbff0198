"""A client of Rubrica with Python's standard library: token, calls with safe repetition, waiting."""

import base64
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

BASE_URL = os.environ["BASE_URL"]
CLIENT_ID = os.environ["CLIENT_ID"]
CLIENT_SECRET = os.environ["CLIENT_SECRET"]

FINAL_STATES = {"GENERATED", "REFUSED", "CANCELLED", "EXPIRED"}


class RubricaError(Exception):
    """An error answer of the service: `code` for programs, `messages` for people, `trace_id` for support."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body.get('code')}: {'; '.join(body.get('messages', []))}")
        self.status = status
        self.code = body.get("code")
        self.messages = body.get("messages", [])
        self.trace_id = body.get("traceId")


_token = {"value": "", "ends": 0.0}


def token():
    """Returns an access token, cached until a minute before its end."""
    if time.monotonic() > _token["ends"]:
        client = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        request = urllib.request.Request(
            f"{BASE_URL}/oauth/token",
            data=b"grant_type=client_credentials",
            headers={"Authorization": f"Basic {client}"},
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            answer = json.load(response)
        _token.update(value=answer["access_token"], ends=time.monotonic() + answer["expires_in"] - 60)
    return _token["value"]


def call(method, path, body=None, query=None, attempts=5):
    """Makes a call. Repeats it after 429 and 503, which changed nothing, at the time that the answer names.

    After any other failed call, read the status: a second registration with the same referenceTransaction is refused
    with 409 DUPLICATED_REFERENCE_TRANSACTION, never executed twice.
    """
    url = f"{BASE_URL}{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
    for attempt in range(1, attempts + 1):
        request = urllib.request.Request(
            url,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {token()}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as refused:
            if refused.code in (429, 503) and attempt < attempts:
                time.sleep(float(refused.headers.get("Retry-After", 2**attempt)))
                continue
            raise RubricaError(refused.code, json.load(refused)) from None


def wait_for_end(path, reference, deadline_seconds=600):
    """Waits for the final status record, or for ERROR, in which the request waits for a correction."""
    deadline = time.monotonic() + deadline_seconds
    while time.monotonic() < deadline:
        record = call("GET", path, query={"referenceTransaction": reference})
        if record["status"] in FINAL_STATES | {"ERROR"}:
            return record
        time.sleep(2)
    raise TimeoutError(f"{reference} is still {record['status']}")
