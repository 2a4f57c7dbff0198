import { readExtensions } from '../certificate/parse-extensions.ts';
import {
  type DerNode,
  expectTag,
  Malformed,
  member,
  readNode,
  readSafely,
  readSmallInteger,
} from '../der/read.ts';
import { encodeExplicit, sequence, tags } from '../der/write.ts';
import { oids } from '../oids.ts';
import type { Result } from '../result.ts';
import { type OcspCertId, readCertId } from './cert-id.ts';
import { nonceExtensions, readNonce } from './nonce.ts';

/** Parsed request (RFC 6960 §4.1.1). Byte arrays are views of the input. */
export type OcspRequest = {
  /** Never empty, in the order of the request. */
  certIds: OcspCertId[];
  nonce: Uint8Array | undefined;
  /** The request has a signature, which is not verified: everyone may ask. */
  signed: boolean;
};

/** Fault that must be answered with `ocspError('malformedRequest')`. */
export type OcspRequestFault = { code: 'MALFORMED'; reason: string };

/** Largest request. A plain one has some 80 octets; a signed one contains a chain of certificates. */
export const MAX_OCSP_REQUEST_BYTES = 16 * 1024;

/** Each is a look-up for the responder. Programs ask about one certificate, or about one chain. */
const MAX_CERT_IDS = 16;

/** Parses a DER request, the body of a POST or the decoded path of a GET. Never throws on any bytes. */
export function parseOcspRequest(der: Uint8Array): Result<OcspRequest, OcspRequestFault> {
  return readSafely(() => {
    if (der.length > MAX_OCSP_REQUEST_BYTES) throw new Malformed('too large for a request');
    const request = expectTag(readNode(der), tags.sequence);
    const [tbs, signature, more] = request.children;
    if (!tbs || more || (signature && signature.tag !== 0xa0))
      throw new Malformed('not the parts of a request');
    return { ...signedPart(expectTag(tbs, tags.sequence)), signed: signature !== undefined };
  });
}

function signedPart(tbs: DerNode): Omit<OcspRequest, 'signed'> {
  const rest = [...tbs.children];
  const version = rest[0]?.tag === 0xa0 ? rest.shift() : undefined;
  if (version && readSmallInteger(member(version, 0, tags.integer)) !== 0)
    throw new Malformed('version other than 1');
  // requestorName: the answer does not depend on it.
  if (rest[0]?.tag === 0xa1) rest.shift();
  const [list, tagged, more] = rest;
  if (!list || more) throw new Malformed('the request is incomplete');
  const requests = expectTag(list, tags.sequence).children;
  if (requests.length === 0) throw new Malformed('asks about nothing');
  if (requests.length > MAX_CERT_IDS) throw new Malformed('asks about too many certificates');
  return { certIds: requests.map(singleRequest), nonce: tagged && nonceFrom(tagged) };
}

function singleRequest(node: DerNode): OcspCertId {
  const [certId, tagged, more] = expectTag(node, tags.sequence).children;
  if (!certId || more) throw new Malformed('not the parts of a single request');
  if (tagged) refuseCritical(expectTag(tagged, 0xa0));
  return readCertId(certId);
}

function nonceFrom(tagged: DerNode): Uint8Array | undefined {
  return readNonce(refuseCritical(expectTag(tagged, 0xa2)));
}

/** Ignores unknown extensions unless they are critical (RFC 6960 §4.4). */
function refuseCritical(tagged: DerNode) {
  const extensions = readExtensions(tagged);
  const unknown = extensions.find(({ oid, critical }) => critical && oid !== oids.ocspNonce);
  if (unknown) throw new Malformed(`critical extension ${unknown.oid} is not known`);
  return extensions;
}

/** Builds a client's request, DER, unsigned. `certIds` come from `encodeCertId`. */
export function ocspRequest(input: {
  certIds: readonly Uint8Array[];
  nonce?: Uint8Array | undefined;
}): Uint8Array {
  return sequence(
    sequence(
      sequence(...input.certIds.map((certId) => sequence(certId))),
      ...(input.nonce === undefined ? [] : [encodeExplicit(2, nonceExtensions(input.nonce))]),
    ),
  );
}
