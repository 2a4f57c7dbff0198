import { createHash } from 'node:crypto';
import { readBitString, readNode } from '../der/read.ts';
import {
  bigInteger,
  boolean,
  explicit,
  ia5String,
  implicitConstructed,
  implicitPrimitive,
  integer,
  namedBits,
  nullValue,
  octetString,
  oid,
  sequence,
} from '../der/write.ts';
import { oids } from '../oids.ts';
import { type KeyUsageBit, keyUsageBits } from '../profile/subscriber-profiles.ts';

/** One X.509 extension: identifier, criticality and its DER value (RFC 5280 §4.2). */
export type Extension = { oid: string; critical: boolean; value: Uint8Array };

export function encodeExtension({ oid: id, critical, value }: Extension): Uint8Array {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

/**
 * Key identifier: the leftmost 160 bits of the SHA-256 of the public key's bits (RFC 7093 §2, method 1), so that
 * no SHA-1 is needed. `spki` is a DER SubjectPublicKeyInfo of our own making.
 */
export function keyIdentifier(spki: Uint8Array): Uint8Array {
  const key = readNode(spki).children[1];
  if (key === undefined) throw new RangeError('not a SubjectPublicKeyInfo');
  return createHash('sha256').update(readBitString(key).bytes).digest().subarray(0, 20);
}

/** Critical, as RFC 5280 §4.2.1.3 asks. */
export function keyUsage(bits: readonly KeyUsageBit[]): Extension {
  return {
    oid: oids.keyUsage,
    critical: true,
    value: namedBits(bits.map((bit) => keyUsageBits[bit])),
  };
}

/** Of an authority, critical (RFC 5280 §4.2.1.9). Subscribers' certificates go without it. */
export function authorityConstraints(pathLength: number | undefined): Extension {
  return {
    oid: oids.basicConstraints,
    critical: true,
    value: sequence(boolean(true), ...(pathLength === undefined ? [] : [integer(pathLength)])),
  };
}

export function subjectKeyIdentifier(keyId: Uint8Array): Extension {
  return {
    oid: oids.subjectKeyIdentifier,
    critical: false,
    value: octetString(keyId),
  };
}

export function authorityKeyIdentifier(issuerKeyId: Uint8Array): Extension {
  return {
    oid: oids.authorityKeyIdentifier,
    critical: false,
    value: sequence(implicitPrimitive(0, issuerKeyId)),
  };
}

function uri(text: string) {
  return implicitPrimitive(6, Buffer.from(text, 'latin1'));
}

/** Where the issuer's certificate and, for subscribers, the OCSP responder are (RFC 5280 §4.2.2.1). */
export function authorityInfoAccess(at: { caIssuersUri: string; ocspUri?: string | undefined }): Extension {
  return {
    oid: oids.authorityInfoAccess,
    critical: false,
    value: sequence(
      ...(at.ocspUri === undefined ? [] : [sequence(oid(oids.ocsp), uri(at.ocspUri))]),
      sequence(oid(oids.caIssuers), uri(at.caIssuersUri)),
    ),
  };
}

/** One distribution point with one address (RFC 5280 §4.2.1.13). */
export function crlDistributionPoints(crlUri: string): Extension {
  return { oid: oids.crlDistributionPoints, critical: false, value: onePoint(crlUri) };
}

/** Where the delta list is that brings this list up to date (RFC 5280 §5.2.6). */
export function freshestCrl(deltaUri: string): Extension {
  return { oid: oids.freshestCrl, critical: false, value: onePoint(deltaUri) };
}

function onePoint(address: string): Uint8Array {
  return sequence(sequence(explicit(0, implicitConstructed(0, uri(address)))));
}

export function certificatePolicies(policy: string, cpsUri?: string): Extension {
  return {
    oid: oids.certificatePolicies,
    critical: false,
    value: sequence(
      sequence(
        oid(policy),
        ...(cpsUri === undefined ? [] : [sequence(sequence(oid(oids.cps), ia5String(cpsUri)))]),
      ),
    ),
  };
}

/**
 * RFC 9336: the key signs documents. NSS, and with it pdfsig, knows that purpose not and refuses it alone: it stands beside
 * the two that programs for mail and for PDF look for. Not critical, so that programs which know none still verify.
 */
export const documentSigningPurposes = [
  oids.documentSigning,
  oids.emailProtection,
  oids.authenticDocuments,
] as const;

export function documentSigningUsage(): Extension {
  return {
    oid: oids.extKeyUsage,
    critical: false,
    value: sequence(...documentSigningPurposes.map(oid)),
  };
}

/** The key answers for its authority about the status of certificates, and does nothing else (RFC 6960 §4.2.2.2). */
export function ocspSigningUsage(): Extension {
  return {
    oid: oids.extKeyUsage,
    critical: false,
    value: sequence(oid(oids.ocspSigning)),
  };
}

/**
 * Nobody is to ask whether the responder's own certificate is revoked (RFC 6960 §4.2.2.2.1): the answer would come
 * from that responder. What limits the harm of a stolen key is the certificate's short life.
 */
export function ocspNoCheck(): Extension {
  return {
    oid: oids.ocspNoCheck,
    critical: false,
    value: nullValue(),
  };
}

export function crlNumber(number: bigint): Extension {
  return {
    oid: oids.crlNumber,
    critical: false,
    value: bigInteger(number),
  };
}

/** Critical (RFC 5280 §5.2.4): who took a list of changes for the whole would hold the rest good. */
export function deltaCrlIndicator(baseNumber: bigint): Extension {
  return { oid: oids.deltaCrlIndicator, critical: true, value: bigInteger(baseNumber) };
}

/** Critical (RFC 5280 §5.2.5): the list says nothing about certificates that name another distribution point. */
export function issuingDistributionPoint(crlUri: string): Extension {
  return {
    oid: oids.issuingDistributionPoint,
    critical: true,
    value: sequence(explicit(0, implicitConstructed(0, uri(crlUri)))),
  };
}

/** Whether an address may stand in subjectAltName; one with letters beyond ASCII stays out of certificates. */
export function isCertifiableEmail(email: string): boolean {
  return /^[!-?A-~]{1,64}@[A-Za-z0-9.-]{1,190}$/.test(email);
}

/** `rfc822Name`, in ASCII, as RFC 5280 §4.2.1.6 asks of it, and whatever other GeneralNames there are, DER. */
export function subjectAltName(email: string | undefined, others: readonly Uint8Array[] = []): Extension {
  const mailbox = email === undefined ? [] : [implicitPrimitive(1, Buffer.from(email, 'latin1'))];
  return { oid: oids.subjectAltName, critical: false, value: sequence(...mailbox, ...others) };
}
