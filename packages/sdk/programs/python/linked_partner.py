"""A linked partner's request with a PDF as evidence: it verifies the webhook and opens the certificate.

`python3 linked_partner.py contract.pdf [file]`. The service must reach this machine: CALLBACK_URL is the public
address of the receiver, if it differs from this machine.
"""

import base64
import http.server
import os
import pathlib
import sys
import threading
import uuid

from cryptography.hazmat.primitives.serialization import pkcs12

from rubrica import call
from verify_webhook import WebhookError, verify_webhook

PASSWORD = "Galapagos 2026"
events = {}
ended = threading.Event()


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            event_id, event = verify_webhook(headers, body, [os.environ["WEBHOOK_SECRET"]])
        except WebhookError as error:
            self.log_error("%s", error)
            self.send_response(401)
        else:
            # Store the event, answer, and work afterwards: an answer after more than 15 s does not count.
            if event:  # An empty one is a test call.
                events[event_id] = event
            self.send_response(204)
        self.end_headers()
        if events:
            ended.set()

    def log_request(self, *_):
        pass


receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()

reference = f"PYTHON-{uuid.uuid4()}"
registered = call(
    "POST",
    "/collector/linked-partner/request",
    {
        "referenceTransaction": reference,
        "identificationNumber": "2450010000",
        "fingerCode": "V4333V2222",
        "applicantName": "María José",
        "applicantLastName": "Ñúñez",
        "applicantSecondLastName": "Pazmiño",
        "email": "maria@example.com",
        "cellphoneNumber": "+593991234567",
        "city": "Quito",
        "address": "Av. Amazonas N21-147",
        "documentType": "CI",
        "applicationType": "NATURAL_PERSON",
        "certificateType": "TRADITIONAL_SIGNATURE",
        "period": "ONE_YEAR",
        "password": PASSWORD,
        "evidences": [
            {
                "evidenceFile": base64.b64encode(pathlib.Path(sys.argv[1]).read_bytes()).decode(),
                "evidenceType": "CONTRACT",
            }
        ],
        "callbackUrl": os.environ.get("CALLBACK_URL", f"http://127.0.0.1:{receiver.server_port}/webhooks"),
    },
)
print(f"{reference} is {registered['status']}")

# The webhook may still be lost: your program should also read the status from time to time.
if not ended.wait(timeout=600):
    sys.exit("no webhook came")
receiver.shutdown()
[event] = events.values()
if "file" not in event:
    sys.exit(f"not issued: {event['message']}")

file = base64.b64decode(event["file"])
path = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "certificate.p12")
path.write_bytes(file)
key, certificate, chain = pkcs12.load_key_and_certificates(file, PASSWORD.encode())
print(certificate.subject.rfc4514_string())
print(f"{path}: serial number {event['serialNumber']}, {key.key_size} bits, {len(chain)} authorities")

status = call("GET", "/middleware/signature-request/status", query={"referenceTransaction": reference})
print(f"{status['status']}, {len(status['observations'])} observations")
