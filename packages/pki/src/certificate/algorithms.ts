import { nullValue, oid, sequence } from '../der/write.ts';
import { oids } from '../oids.ts';

/** Key algorithms of subscribers and authorities. */
export const keyAlgorithms = {
  RSA_2048: { kind: 'rsa', modulusBits: 2048, signature: 'sha256WithRSAEncryption' },
  RSA_3072: { kind: 'rsa', modulusBits: 3072, signature: 'sha256WithRSAEncryption' },
  P_256: { kind: 'ec', curve: 'P-256', signature: 'ecdsa-with-SHA256' },
} as const;
export type KeyAlgorithm = keyof typeof keyAlgorithms;
export type SignatureAlgorithm = (typeof keyAlgorithms)[KeyAlgorithm]['signature'];

const identifiers: Record<SignatureAlgorithm, Uint8Array> = {
  // RFC 4055 §5: parameters are NULL. RFC 5758 §3.2: parameters are absent.
  sha256WithRSAEncryption: sequence(oid(oids.sha256WithRsaEncryption), nullValue()),
  'ecdsa-with-SHA256': sequence(oid(oids.ecdsaWithSha256)),
};

/** Returns the DER AlgorithmIdentifier of a signature. */
export function signatureAlgorithmIdentifier(algorithm: SignatureAlgorithm): Uint8Array {
  return identifiers[algorithm];
}
