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
import { createCheckedSigner } from '../checked-signer.ts';

/**
 * Lints the certificate under a dummy signature, so that no key signs what breaks a rule. Then signs it, verifies the
 * signature and lints the result.
 * @throws Error that names the broken rule
 */
export async function certify(
  tbs: Uint8Array,
  by: { signatureAlgorithm: SignatureAlgorithm; sign: Signer; publicKey: KeyObject },
  expected: LintExpectation,
): Promise<ParsedCertificate> {
  const { signatureAlgorithm } = by;
  assertLintPassed(
    await signCertificate(tbs, signatureAlgorithm, async () => dummySignatures[signatureAlgorithm]),
    expected,
  );
  const der = await signCertificate(tbs, signatureAlgorithm, createCheckedSigner(by.sign, by.publicKey));
  assertLintPassed(der, expected);
  const parsed = parseCertificate(der);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}

/** Dummy signature in the form that the linter expects: bytes of an RSA signature, or two integers in DER. */
const dummySignatures: Record<SignatureAlgorithm, Uint8Array> = {
  sha256WithRSAEncryption: Buffer.alloc(256),
  'ecdsa-with-SHA256': Buffer.from('3006020101020101', 'hex'),
};

/**
 * Refuses a certificate that breaks a rule.
 * @throws Error that names the rules
 */
export function assertLintPassed(der: Uint8Array, expected: LintExpectation): void {
  const findings = lintCertificate(der, expected);
  if (!blocksIssuance(findings)) return;
  const broken = findings.map(({ rule, message }) => `${rule}: ${message}`).join('; ');
  throw new Error(`the ${expected.kind} certificate breaks ${broken}`);
}

/**
 * Parses the certificate of an authority.
 * @throws Error that names the authority
 */
export function parseAuthorityCertificate(name: string, certificate: string): ParsedCertificate {
  const result = parseCertificate(Buffer.from(certificate, 'base64'));
  if (!result.ok) throw new Error(`the certificate of ${name} cannot be read: ${result.error.reason}`);
  return result.value;
}

export function toPublicKey({ publicKey }: ParsedCertificate): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKey.raw), format: 'der', type: 'spki' });
}

export function selectSignatureAlgorithm(key: KeyObject): SignatureAlgorithm {
  return key.asymmetricKeyType === 'rsa' ? 'sha256WithRSAEncryption' : 'ecdsa-with-SHA256';
}

/** Derives the issuer fields of certificates that an authority signs. */
export function toIssuerIdentity(certificate: ParsedCertificate): IssuerIdentity {
  return {
    name: certificate.subject.raw,
    keyId: keyIdentifier(certificate.publicKey.raw),
    signatureAlgorithm: selectSignatureAlgorithm(toPublicKey(certificate)),
  };
}
