import type { SignatureAlgorithm } from '../certificate/algorithms.ts';
import { signatureAlgorithmIdentifier } from '../certificate/algorithms.ts';
import { encodeExtension } from '../certificate/extensions.ts';
import type { Signer } from '../certificate/tbs.ts';
import { type RevocationReason, revocationReasons } from '../crl/revocation-reasons.ts';
import {
  bitString,
  encodeEnumerated,
  encodeExplicit,
  generalizedTime,
  implicitConstructed,
  implicitPrimitive,
  octetString,
  oid,
  sequence,
} from '../der/write.ts';
import { oids } from '../oids.ts';
import { nonceExtensions } from './nonce.ts';

/**
 * Status of a certificate. `unknown`: the responder does not know this certificate, so another one may (RFC 6960 §2.2).
 */
export type OcspStatus = 'good' | 'unknown' | { revokedAt: Date; reason: RevocationReason };

export type OcspSingleResponse = {
  /** DER: from `encodeCertId` for a stored answer, `raw` of the request for an immediate one. */
  certId: Uint8Array;
  status: OcspStatus;
  thisUpdate: Date;
  nextUpdate: Date;
  /** Time from which the responder covers certificates, expired ones included (RFC 6960 §4.4.4). */
  archiveCutoff?: Date | undefined;
};

/**
 * Builds the to-be-signed answer, DER (RFC 6960 §4.2.1). `responderKeyId` comes from the function of that name. A
 * stored answer covers one certificate and one hash algorithm, without a nonce; decisions/0003 explains why not both
 * algorithms in one. Throws a RangeError on a nonce of a forbidden length.
 */
export function ocspResponseTbs(input: {
  responderKeyId: Uint8Array;
  producedAt: Date;
  responses: readonly OcspSingleResponse[];
  nonce?: Uint8Array | undefined;
}): Uint8Array {
  return sequence(
    encodeExplicit(2, octetString(input.responderKeyId)),
    generalizedTime(input.producedAt),
    sequence(...input.responses.map(singleResponse)),
    ...(input.nonce === undefined ? [] : [encodeExplicit(1, nonceExtensions(input.nonce))]),
  );
}

function singleResponse(single: OcspSingleResponse): Uint8Array {
  return sequence(
    single.certId,
    encodeStatus(single.status),
    generalizedTime(single.thisUpdate),
    encodeExplicit(0, generalizedTime(single.nextUpdate)),
    ...(single.archiveCutoff === undefined
      ? []
      : [encodeExplicit(1, cutoffExtensions(single.archiveCutoff))]),
  );
}

function cutoffExtensions(archiveCutoff: Date): Uint8Array {
  const value = generalizedTime(archiveCutoff);
  return sequence(encodeExtension({ oid: oids.ocspArchiveCutoff, critical: false, value }));
}

function encodeStatus(status: OcspStatus): Uint8Array {
  if (status === 'good') return implicitPrimitive(0, new Uint8Array());
  if (status === 'unknown') return implicitPrimitive(2, new Uint8Array());
  const code = revocationReasons[status.reason];
  // As in revocation lists: a missing reason means `unspecified`.
  const reason = code === revocationReasons.unspecified ? [] : [encodeExplicit(0, encodeEnumerated(code))];
  return implicitConstructed(1, generalizedTime(status.revokedAt), ...reason);
}

/**
 * Signs and assembles a successful answer. `certificates`: the delegated responder's own, so that the client can build
 * the path to the issuer; none if the issuer itself signs. Errors of the signer pass through.
 */
export async function signOcspResponse(
  tbs: Uint8Array,
  by: {
    signatureAlgorithm: SignatureAlgorithm;
    signer: Signer;
    certificates: readonly Uint8Array[];
  },
): Promise<Uint8Array> {
  const signature = await by.signer(tbs);
  const basic = sequence(
    tbs,
    signatureAlgorithmIdentifier(by.signatureAlgorithm),
    bitString(signature),
    ...(by.certificates.length === 0 ? [] : [encodeExplicit(0, sequence(...by.certificates))]),
  );
  const responseBytes = sequence(oid(oids.ocspBasic), octetString(basic));
  return sequence(encodeEnumerated(0), encodeExplicit(0, responseBytes));
}

/** OCSPResponseStatus (RFC 6960 §4.2.1); 0 is success, 4 is unused. */
export const ocspErrorCodes = {
  malformedRequest: 1,
  internalError: 2,
  tryLater: 3,
  sigRequired: 5,
  unauthorized: 6,
} as const;
export type OcspErrorStatus = keyof typeof ocspErrorCodes;

/** Returns an answer with only an error status, DER, unsigned. */
export function ocspError(status: OcspErrorStatus): Uint8Array {
  return errors[status];
}

const errors = Object.fromEntries(
  Object.entries(ocspErrorCodes).map(([status, code]) => [status, sequence(encodeEnumerated(code))]),
) as Record<OcspErrorStatus, Uint8Array>;
