import { createHash } from 'node:crypto';
import { readBitString, readNode } from '../der/read.ts';
import {
  bigInteger,
  boolean,
  encodeExplicit,
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
 * Computes a key identifier: the leftmost 160 bits of the SHA-256 of the public key's bits (RFC 7093 §2, method 1),
 * which avoids SHA-1. `spki` is a DER SubjectPublicKeyInfo written by this package.
 */
export function keyIdentifier(spki: Uint8Array): Uint8Array {
  const key = readNode(spki).children[1];
  if (key === undefined) throw new RangeError('not a SubjectPublicKeyInfo');
  return createHash('sha256').update(readBitString(key).bytes).digest().subarray(0, 20);
}

/** Builds keyUsage, critical as RFC 5280 §4.2.1.3 requires. */
export function keyUsage(bits: readonly KeyUsageBit[]): Extension {
  return {
    oid: oids.keyUsage,
    critical: true,
    value: namedBits(bits.map((bit) => keyUsageBits[bit])),
  };
}

/** Builds basicConstraints of an authority, critical (RFC 5280 §4.2.1.9). Subscribers' certificates have none. */
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

/**
 * Builds authorityInfoAccess: addresses of the issuer's certificate and, for subscribers, of the OCSP responder (RFC
 * 5280 §4.2.2.1).
 */
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

/** Builds one distribution point with one address (RFC 5280 §4.2.1.13). */
export function crlDistributionPoints(crlUri: string): Extension {
  return { oid: oids.crlDistributionPoints, critical: false, value: onePoint(crlUri) };
}

/** Builds freshestCRL, the address of the delta list that updates this list (RFC 5280 §5.2.6). */
export function freshestCrl(deltaUri: string): Extension {
  return { oid: oids.freshestCrl, critical: false, value: onePoint(deltaUri) };
}

function onePoint(address: string): Uint8Array {
  return sequence(sequence(encodeExplicit(0, implicitConstructed(0, uri(address)))));
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
 * Purposes of document signing. RFC 9336 defines the first. NSS, and therefore pdfsig, does not know it and refuses it
 * if it is the only one. So it is combined with the two that mail and PDF programs look for. Not critical, so that
 * programs that know none still verify.
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

/**
 * Builds the purpose of an OCSP responder's key, which signs certificate status for its authority and nothing else (RFC
 * 6960 §4.2.2.2).
 */
export function ocspSigningUsage(): Extension {
  return {
    oid: oids.extKeyUsage,
    critical: false,
    value: sequence(oid(oids.ocspSigning)),
  };
}

/**
 * Builds ocspNoCheck: clients must not ask whether the responder's own certificate is revoked (RFC 6960 §4.2.2.2.1),
 * because the answer would come from that responder. The short life of the certificate limits the harm of a stolen key.
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

/**
 * Builds deltaCRLIndicator, critical (RFC 5280 §5.2.4): a client that took a list of changes for a complete one would
 * accept revoked certificates.
 */
export function deltaCrlIndicator(baseNumber: bigint): Extension {
  return { oid: oids.deltaCrlIndicator, critical: true, value: bigInteger(baseNumber) };
}

/**
 * Builds issuingDistributionPoint, critical (RFC 5280 §5.2.5): the list does not cover certificates that name another
 * distribution point.
 */
export function issuingDistributionPoint(crlUri: string): Extension {
  return {
    oid: oids.issuingDistributionPoint,
    critical: true,
    value: sequence(encodeExplicit(0, implicitConstructed(0, uri(crlUri)))),
  };
}

/**
 * Tells whether an address may appear in subjectAltName; an address with letters beyond ASCII is left out of
 * certificates.
 */
export function isCertifiableEmail(email: string): boolean {
  return /^[!-?A-~]{1,64}@[A-Za-z0-9.-]{1,190}$/.test(email);
}

/** Builds subjectAltName: `rfc822Name` in ASCII, as RFC 5280 §4.2.1.6 requires, and other GeneralNames, DER. */
export function subjectAltName(email: string | undefined, others: readonly Uint8Array[] = []): Extension {
  const mailbox = email === undefined ? [] : [implicitPrimitive(1, Buffer.from(email, 'latin1'))];
  return { oid: oids.subjectAltName, critical: false, value: sequence(...mailbox, ...others) };
}
