import {
  bitString,
  certificateTime,
  elementHead,
  encodeExplicit,
  integer,
  sequence,
  tags,
  unsignedInteger,
} from '../der/write.ts';
import { type SignatureAlgorithm, signatureAlgorithmIdentifier } from './algorithms.ts';
import { type Extension, encodeExtension } from './extensions.ts';

/** Everything that is signed (RFC 5280 §4.1.2). `issuer`, `subject` and `spki` are DER. */
export type TbsInput = {
  serial: Uint8Array;
  signatureAlgorithm: SignatureAlgorithm;
  issuer: Uint8Array;
  subject: Uint8Array;
  validity: { notBefore: Date; notAfter: Date };
  spki: Uint8Array;
  extensions: readonly Extension[];
};

/** Builds the to-be-signed certificate, DER, version 3. Equal input gives equal bytes. */
export function buildTbs(input: TbsInput): Uint8Array {
  return sequence(
    encodeExplicit(0, integer(2)),
    unsignedInteger(input.serial),
    signatureAlgorithmIdentifier(input.signatureAlgorithm),
    input.issuer,
    sequence(certificateTime(input.validity.notBefore), certificateTime(input.validity.notAfter)),
    input.subject,
    input.spki,
    encodeExplicit(3, sequence(...input.extensions.map(encodeExtension))),
  );
}

/** Bytes to be signed; those of a long list in consecutive parts, so that no copy of the whole is needed. */
export type ToBeSigned = Uint8Array | readonly Uint8Array[];

/** Signs to-be-signed bytes: with an issuer's key wherever it is stored, or a throw-away key for the linter. */
export type Signer = (tbs: ToBeSigned) => Promise<Uint8Array>;

export function toParts(tbs: ToBeSigned): readonly Uint8Array[] {
  return tbs instanceof Uint8Array ? [tbs] : tbs;
}

/**
 * Assembles a signed X.509 structure from signed part, algorithm and signature, DER (RFC 5280 §4.1.1, §5.1.1), in
 * consecutive parts.
 */
export function signedParts(input: {
  tbs: ToBeSigned;
  signatureAlgorithm: SignatureAlgorithm;
  signature: Uint8Array;
}): Uint8Array[] {
  const content = [
    ...toParts(input.tbs),
    signatureAlgorithmIdentifier(input.signatureAlgorithm),
    bitString(input.signature),
  ];
  const octets = content.reduce((sum, { length }) => sum + length, 0);
  return [elementHead(tags.sequence, octets), ...content];
}

/** Assembles a signed X.509 structure in one piece. */
export function assembleSigned(input: Parameters<typeof signedParts>[0]): Uint8Array {
  return Buffer.concat(signedParts(input));
}

/** Assembles a certificate from its signed part, algorithm and signature, DER. */
const assembleCertificate = assembleSigned;

/** Signs and assembles a certificate. Errors of the signer pass through. */
export async function signCertificate(
  tbs: Uint8Array,
  signatureAlgorithm: SignatureAlgorithm,
  sign: Signer,
): Promise<Uint8Array> {
  return assembleCertificate({ tbs, signatureAlgorithm, signature: await sign(tbs) });
}
