import { findExtension, readExtensions } from '../certificate/parse-extensions.ts';
import { readReason } from '../crl/revocation-reasons.ts';
import {
  type DerNode,
  expectTag,
  Malformed,
  member,
  readBitString,
  readEnumerated,
  readNode,
  readOid,
  readSafely,
} from '../der/read.ts';
import { readTime } from '../der/text.ts';
import { tags } from '../der/write.ts';
import { oids } from '../oids.ts';
import type { Result } from '../result.ts';
import { type OcspCertId, readCertId } from './cert-id.ts';
import { readNonce } from './nonce.ts';
import { type OcspErrorStatus, type OcspStatus, ocspErrorCodes } from './response.ts';

export type ParsedSingleResponse = {
  certId: OcspCertId;
  status: OcspStatus;
  thisUpdate: Date;
  nextUpdate: Date | undefined;
  archiveCutoff: Date | undefined;
};

/** Parsed answer (RFC 6960 §4.2.1). Byte arrays are views of the input. */
export type ParsedOcspResponse =
  | { status: OcspErrorStatus }
  | {
      status: 'successful';
      tbs: Uint8Array;
      signatureAlgorithmOid: string;
      signature: Uint8Array;
      /** Certificates in the answer, DER. */
      certificates: Uint8Array[];
      /** Undefined if the responder is identified by its name. */
      responderKeyId: Uint8Array | undefined;
      producedAt: Date;
      responses: ParsedSingleResponse[];
      nonce: Uint8Array | undefined;
    };

export type OcspResponseFault = { code: 'MALFORMED'; reason: string };

const MAX_OCSP_RESPONSE_BYTES = 64 * 1024;

/** Parses a DER answer. Never throws on any bytes. Neither signature nor responder is verified here. */
export function parseOcspResponse(der: Uint8Array): Result<ParsedOcspResponse, OcspResponseFault> {
  return readSafely(() => {
    if (der.length > MAX_OCSP_RESPONSE_BYTES) throw new Malformed('too large for an answer');
    const whole = expectTag(readNode(der), tags.sequence);
    const code = readEnumerated(member(whole, 0, tags.enumerated));
    if (code !== 0) return { status: errorStatus(code) };
    const bytes = member(member(whole, 1, 0xa0), 0, tags.sequence);
    if (readOid(member(bytes, 0, tags.objectIdentifier)) !== oids.ocspBasic)
      throw new Malformed('not a basic answer');
    return basicFrom(readNode(member(bytes, 1, tags.octetString).content));
  });
}

function errorStatus(code: number): OcspErrorStatus {
  const names = Object.keys(ocspErrorCodes) as OcspErrorStatus[];
  const name = names.find((candidate) => ocspErrorCodes[candidate] === code);
  if (name === undefined) throw new Malformed(`status ${code} does not exist`);
  return name;
}

function basicFrom(basic: DerNode): ParsedOcspResponse {
  const tbs = member(expectTag(basic, tags.sequence), 0, tags.sequence);
  const algorithm = member(basic, 1, tags.sequence);
  const certificates = basic.children[3];
  return {
    status: 'successful',
    tbs: tbs.raw,
    signatureAlgorithmOid: readOid(member(algorithm, 0, tags.objectIdentifier)),
    signature: readBitString(member(basic, 2, tags.bitString)).bytes,
    certificates: certificates
      ? member(expectTag(certificates, 0xa0), 0, tags.sequence).children.map(({ raw }) => raw)
      : [],
    ...responseData(tbs),
  };
}

function responseData(tbs: DerNode) {
  // A version before the responder would be [0]; version 1, the only one, is omitted.
  const [responder, producedAt, list, extensions] = tbs.children;
  if (!responder || !producedAt || !list) throw new Malformed('the signed part is incomplete');
  if (responder.tag !== 0xa1 && responder.tag !== 0xa2) throw new Malformed('no name of a responder');
  return {
    responderKeyId: responder.tag === 0xa2 ? member(responder, 0, tags.octetString).content : undefined,
    producedAt: readTime(expectTag(producedAt, tags.generalizedTime)),
    responses: expectTag(list, tags.sequence).children.map(singleFrom),
    nonce: extensions && readNonce(readExtensions(expectTag(extensions, 0xa1))),
  };
}

function singleFrom(node: DerNode): ParsedSingleResponse {
  const [certId, status, thisUpdate, ...rest] = expectTag(node, tags.sequence).children;
  const next = rest.find(({ tag }) => tag === 0xa0);
  const extensions = rest.find(({ tag }) => tag === 0xa1);
  if (!certId || !status || !thisUpdate) throw new Malformed('not the parts of a single answer');
  return {
    certId: readCertId(certId),
    status: statusFrom(status),
    thisUpdate: readTime(expectTag(thisUpdate, tags.generalizedTime)),
    nextUpdate: next && readTime(member(next, 0, tags.generalizedTime)),
    archiveCutoff: extensions && cutoffFrom(extensions),
  };
}

function cutoffFrom(tagged: DerNode): Date | undefined {
  const found = findExtension({ extensions: readExtensions(tagged) }, oids.ocspArchiveCutoff);
  return found && readTime(expectTag(readNode(found.value), tags.generalizedTime));
}

function statusFrom(node: DerNode): OcspStatus {
  if (node.tag === 0x80) return 'good';
  if (node.tag === 0x82) return 'unknown';
  const revokedAt = readTime(member(expectTag(node, 0xa1), 0, tags.generalizedTime));
  const tagged = node.children[1];
  const reason = tagged ? readReason(member(expectTag(tagged, 0xa0), 0, tags.enumerated)) : 'unspecified';
  return { revokedAt, reason };
}
