"""The shortest flow: a transactional signature and its download. `python3 first_certificate.py [file]`"""

import base64
import pathlib
import sys
import uuid

from cryptography.hazmat.primitives.serialization import pkcs12

from rubrica import call, wait_for_end

# Store your reference before you register: with it you find the request in any case.
reference = f"PYTHON-{uuid.uuid4()}"
call(
    "POST",
    "/collector/transactional/request",
    {
        "referenceTransaction": reference,
        "identificationNumber": "2450010000",
        "fingerCode": "V4333V2222",
        "applicantName": "María José",
        "applicantLastName": "Ñúñez",
        "email": "maria@example.com",
        "cellphoneNumber": "+593991234567",
        "city": "Quito",
        "address": "Av. Amazonas N21-147",
        "documentType": "CI",
        "applicationType": "NATURAL_PERSON",
    },
)
record = wait_for_end("/middleware/transactional/validation-status", reference)
if record["status"] != "GENERATED":
    sys.exit(f"{record['status']}: {record['results']}")

issued = call("GET", "/middleware/transactional/certificate", query={"referenceTransaction": reference})
file = base64.b64decode(issued["file"])
path = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "certificate.p12")
path.write_bytes(file)

key, certificate, chain = pkcs12.load_key_and_certificates(file, issued["password"].encode())
print(f"{path} opens with {issued['password']}")
print(certificate.subject.rfc4514_string())
print(f"serial number {issued['serialNumber']}, {key.key_size} bits, {len(chain)} authorities")
