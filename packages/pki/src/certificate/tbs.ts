import {
  bitString,
  certificateTime,
  elementHead,
  explicit,
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

/** To-be-signed certificate, DER, version 3. Equal input gives equal bytes. */
export function buildTbs(input: TbsInput): Uint8Array {
  return sequence(
    explicit(0, integer(2)),
    unsignedInteger(input.serial),
    signatureAlgorithmIdentifier(input.signatureAlgorithm),
    input.issuer,
    sequence(certificateTime(input.validity.notBefore), certificateTime(input.validity.notAfter)),
    input.subject,
    input.spki,
    explicit(3, sequence(...input.extensions.map(encodeExtension))),
  );
}

/** To-be-signed bytes; those of a long list in parts that follow each other, so that nobody holds them twice. */
export type ToBeSigned = Uint8Array | readonly Uint8Array[];

/** Signs to-be-signed bytes: an issuer's key wherever it lives, or a throw-away one for the linter. */
export type Signer = (tbs: ToBeSigned) => Promise<Uint8Array>;

export function partsOf(tbs: ToBeSigned): readonly Uint8Array[] {
  return tbs instanceof Uint8Array ? [tbs] : tbs;
}

/**
 * What X.509 makes of anything signed: the signed part, algorithm and signature, DER (RFC 5280 §4.1.1, §5.1.1), in parts
 * that follow each other.
 */
export function signedParts(input: {
  tbs: ToBeSigned;
  signatureAlgorithm: SignatureAlgorithm;
  signature: Uint8Array;
}): Uint8Array[] {
  const content = [
    ...partsOf(input.tbs),
    signatureAlgorithmIdentifier(input.signatureAlgorithm),
    bitString(input.signature),
  ];
  const octets = content.reduce((sum, { length }) => sum + length, 0);
  return [elementHead(tags.sequence, octets), ...content];
}

/** The same in one piece. */
export function assembleSigned(input: Parameters<typeof signedParts>[0]): Uint8Array {
  return Buffer.concat(signedParts(input));
}

/** The certificate out of its signed part, algorithm and signature, DER. */
const assembleCertificate = assembleSigned;

/** Signs and assembles. Whatever the signer throws passes. */
export async function signCertificate(
  tbs: Uint8Array,
  signatureAlgorithm: SignatureAlgorithm,
  sign: Signer,
): Promise<Uint8Array> {
  return assembleCertificate({ tbs, signatureAlgorithm, signature: await sign(tbs) });
}
