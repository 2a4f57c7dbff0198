import type { SignatureAlgorithm } from '../certificate/algorithms.ts';
import { signatureAlgorithmIdentifier } from '../certificate/algorithms.ts';
import { encodeExtension } from '../certificate/extensions.ts';
import type { Signer } from '../certificate/tbs.ts';
import { type RevocationReason, revocationReasons } from '../crl/revocation-reasons.ts';
import {
  bitString,
  enumerated,
  explicit,
  generalizedTime,
  implicitConstructed,
  implicitPrimitive,
  octetString,
  oid,
  sequence,
} from '../der/write.ts';
import { oids } from '../oids.ts';
import { nonceExtensions } from './nonce.ts';

/** `unknown`: the responder knows nothing of this certificate, so another one may (RFC 6960 §2.2). */
export type OcspStatus = 'good' | 'unknown' | { revokedAt: Date; reason: RevocationReason };

export type OcspSingleResponse = {
  /** DER: `encodeCertId` for an answer to keep, `raw` of the request's own for one made on the spot. */
  certId: Uint8Array;
  status: OcspStatus;
  thisUpdate: Date;
  nextUpdate: Date;
  /** Since when the responder tells of certificates, those that have expired too (RFC 6960 §4.4.4). */
  archiveCutoff?: Date | undefined;
};

/**
 * To-be-signed answer, DER (RFC 6960 §4.2.1). `responderKeyId` comes from the function of that name. An answer to
 * keep is made for one certificate and one hash algorithm, without a nonce; decisions/0003 says why not both
 * algorithms in one. Throws a RangeError on a nonce of a forbidden length.
 */
export function ocspResponseTbs(input: {
  responderKeyId: Uint8Array;
  producedAt: Date;
  responses: readonly OcspSingleResponse[];
  nonce?: Uint8Array | undefined;
}): Uint8Array {
  return sequence(
    explicit(2, octetString(input.responderKeyId)),
    generalizedTime(input.producedAt),
    sequence(...input.responses.map(singleResponse)),
    ...(input.nonce === undefined ? [] : [explicit(1, nonceExtensions(input.nonce))]),
  );
}

function singleResponse(single: OcspSingleResponse): Uint8Array {
  return sequence(
    single.certId,
    encodeStatus(single.status),
    generalizedTime(single.thisUpdate),
    explicit(0, generalizedTime(single.nextUpdate)),
    ...(single.archiveCutoff === undefined ? [] : [explicit(1, cutoffExtensions(single.archiveCutoff))]),
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
  // As in revocation lists: no reason says the same as `unspecified`.
  const reason = code === revocationReasons.unspecified ? [] : [explicit(0, enumerated(code))];
  return implicitConstructed(1, generalizedTime(status.revokedAt), ...reason);
}

/**
 * Signs and assembles a successful answer. `certificates`: the delegated responder's own, so that the client can
 * follow it to the issuer; none when the issuer itself signs. Whatever the signer throws passes.
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
    ...(by.certificates.length === 0 ? [] : [explicit(0, sequence(...by.certificates))]),
  );
  const responseBytes = sequence(oid(oids.ocspBasic), octetString(basic));
  return sequence(enumerated(0), explicit(0, responseBytes));
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

/** An answer that says only what went wrong, DER, unsigned. */
export function ocspError(status: OcspErrorStatus): Uint8Array {
  return errors[status];
}

const errors = Object.fromEntries(
  Object.entries(ocspErrorCodes).map(([status, code]) => [status, sequence(enumerated(code))]),
) as Record<OcspErrorStatus, Uint8Array>;
