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

/** Signs what was built, verifies the signature, lints the whole. @throws Error that names the broken rule */
export async function certify(
  tbs: Uint8Array,
  by: { signatureAlgorithm: SignatureAlgorithm; sign: Signer; publicKey: KeyObject },
  expected: LintExpectation,
): Promise<ParsedCertificate> {
  const der = await signCertificate(tbs, by.signatureAlgorithm, checkedSigner(by.sign, by.publicKey));
  const findings = lintCertificate(der, expected);
  if (blocksIssuance(findings)) {
    const broken = findings.map(({ rule, message }) => `${rule}: ${message}`).join('; ');
    throw new Error(`the ${expected.kind} certificate breaks ${broken}`);
  }
  const parsed = parseCertificate(der);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
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
