"""Verifies webhooks of Standard Webhooks (https://www.standardwebhooks.com) with Python's standard library."""

import base64
import hashlib
import hmac
import json
import time

TOLERANCE_SECONDS = 300


class WebhookError(Exception):
    """The call is not from Rubrica, or not recent: answer 401."""


def verify_webhook(headers, body, secrets, now=None):
    """Returns the event's id and its body. Handle each id once: a call is repeated if its answer was lost.

    `headers` is a mapping with names in lower case; `body` the received bytes, before any parsing;
    `secrets` holds "whsec_…", the old and the new one while a secret is being replaced.
    """
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not headers.get(name):
            raise WebhookError(f"the header {name} is missing")
    event_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    sent = int(timestamp) if timestamp.isascii() and timestamp.isdigit() else 0
    if abs((time.time() if now is None else now) - sent) > TOLERANCE_SECONDS:
        raise WebhookError("the call is too old, or from the future")

    signed = f"{event_id}.{timestamp}.".encode() + body
    keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in secrets]
    expected = [
        b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys
    ]
    # Several, separated by spaces, while a secret is being replaced.
    given = headers["webhook-signature"].encode().split(b" ")
    if not any(hmac.compare_digest(one, other) for one in given for other in expected):
        raise WebhookError("none of the signatures is right")
    return event_id, json.loads(body)
