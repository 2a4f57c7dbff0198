import { createPublicKey, type KeyObject } from 'node:crypto';
import {
  blocksIssuance,
  type IssuerIdentity,
  keyIdentifier,
  type LintExpectation,
  lintCertificate,
  type ParsedCertificate,
  parseCertificate,
  type SignatureAlgorithm,
  type Signer,
  signCertificate,
} from '@rubrica/pki';
import { checkedSigner } from '../checked-signer.ts';

/**
 * Lints what was built under a signature that is none, so that a key is not asked for what breaks a rule; signs it,
 * verifies the signature, lints the whole.
 * @throws Error that names the broken rule
 */
export async function certify(
  tbs: Uint8Array,
  by: { signatureAlgorithm: SignatureAlgorithm; sign: Signer; publicKey: KeyObject },
  expected: LintExpectation,
): Promise<ParsedCertificate> {
  const { signatureAlgorithm } = by;
  refuseBroken(
    await signCertificate(tbs, signatureAlgorithm, async () => noSignature[signatureAlgorithm]),
    expected,
  );
  const der = await signCertificate(tbs, signatureAlgorithm, checkedSigner(by.sign, by.publicKey));
  refuseBroken(der, expected);
  const parsed = parseCertificate(der);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}

/** Of the form that the linter asks for: octets of an RSA key, two numbers in DER. */
const noSignature: Record<SignatureAlgorithm, Uint8Array> = {
  sha256WithRSAEncryption: Buffer.alloc(256),
  'ecdsa-with-SHA256': Buffer.from('3006020101020101', 'hex'),
};

/** @throws Error that names the broken rules */
export function refuseBroken(der: Uint8Array, expected: LintExpectation): void {
  const findings = lintCertificate(der, expected);
  if (!blocksIssuance(findings)) return;
  const broken = findings.map(({ rule, message }) => `${rule}: ${message}`).join('; ');
  throw new Error(`the ${expected.kind} certificate breaks ${broken}`);
}

/** @throws Error that names the authority */
export function parsedCertificate(name: string, certificate: string): ParsedCertificate {
  const result = parseCertificate(Buffer.from(certificate, 'base64'));
  if (!result.ok) throw new Error(`the certificate of ${name} cannot be read: ${result.error.reason}`);
  return result.value;
}

export function publicKeyOf({ publicKey }: ParsedCertificate): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKey.raw), format: 'der', type: 'spki' });
}

export function signatureAlgorithmOf(key: KeyObject): SignatureAlgorithm {
  return key.asymmetricKeyType === 'rsa' ? 'sha256WithRSAEncryption' : 'ecdsa-with-SHA256';
}

/** What the certificates say that an authority signs. */
export function identityOf(certificate: ParsedCertificate): IssuerIdentity {
  return {
    name: certificate.subject.raw,
    keyId: keyIdentifier(certificate.publicKey.raw),
    signatureAlgorithm: signatureAlgorithmOf(publicKeyOf(certificate)),
  };
}
