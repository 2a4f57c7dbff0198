import { generateKeyPair, randomBytes, verify } from 'node:crypto';
import { promisify } from 'node:util';
import {
  blocksIssuance,
  formatSerial,
  type KeyAlgorithm,
  keySigner,
  lintCertificate,
  type ParsedCertificate,
  type Publication,
  parseCertificate,
  SERIAL_RANDOM_BYTES,
  type SignatureAlgorithm,
  type Signer,
  sameTbs,
  serialFromRandom,
  signCertificate,
  subscriberExpectation,
  subscriberTbs,
} from '@rubrica/pki';
import type { Issuer } from '../issuers/issuer.ts';
import { IssuanceFailed } from './issuance-failed.ts';
import type { CertificatePlan } from './plan-certificate.ts';

export interface SigningContext {
  readonly issuer: Issuer;
  /** Returns the publication of certificates in a CRL shard. */
  readonly publication: (crlShard: number) => Publication;
  readonly crlShards: number;
  readonly rucPrefix: string;
  readonly keyAlgorithm: KeyAlgorithm;
  /** Signs rehearsals. Its key is created for the first one, never stored and never certified. */
  readonly throwAway: Signer;
  /** Reports findings that do not stop a certificate: rules and attribute names, never a value. */
  readonly warn: (findings: string) => void;
}

/** Draws a serial number of 118 random bits. */
export function drawSerial(): { bytes: Uint8Array; text: string } {
  const bytes = serialFromRandom(randomBytes(SERIAL_RANDOM_BYTES));
  return { bytes, text: formatSerial(bytes) };
}

/** Creates signers of the same kind as an issuer's, so that the linter sees the algorithms of the real signature. */
export function createThrowAwaySigners(): (issuer: Pick<Issuer, 'identity'>) => Signer {
  const signers = new Map<SignatureAlgorithm, Promise<Signer>>();
  return ({ identity: { signatureAlgorithm } }) =>
    async (tbs) => {
      const signer = signers.get(signatureAlgorithm) ?? throwAwaySigner(signatureAlgorithm);
      signers.set(signatureAlgorithm, signer);
      return (await signer)(tbs);
    };
}

async function throwAwaySigner(algorithm: SignatureAlgorithm): Promise<Signer> {
  const { privateKey } =
    algorithm === 'sha256WithRSAEncryption'
      ? await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
      : await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return keySigner(privateKey);
}

/**
 * Builds the to-be-signed certificate, signs it with the throw-away key and lints the result.
 * @returns the to-be-signed certificate, DER
 * @throws IssuanceFailed CERTIFICATE_LINT_FAILED naming the rules
 */
export async function rehearse(
  { issuer, publication: getPublication, rucPrefix, keyAlgorithm, throwAway, warn }: SigningContext,
  plan: CertificatePlan,
  key: { serial: Uint8Array; spki: Uint8Array; crlShard: number },
): Promise<Uint8Array> {
  const { profile, validity } = plan;
  const publication = getPublication(key.crlShard);
  const tbs = subscriberTbs({
    profile,
    issuer: issuer.identity,
    publication,
    subject: plan.subject,
    email: plan.email,
    identityFields: plan.identityFields,
    serial: key.serial,
    validity,
    spki: key.spki,
  });
  const rehearsal = await signCertificate(tbs, issuer.identity.signatureAlgorithm, throwAway);
  const findings = lintCertificate(
    rehearsal,
    subscriberExpectation({
      profile,
      issuer: issuer.certificate,
      policyArc: publication.policyArc,
      rucPrefix,
      identityFields: publication.identityFields,
      keyAlgorithm,
      notAfterLimit: validity.notAfter,
    }),
  );
  const broken = findings.map(({ rule, message }) => `${rule}: ${message}`).join('; ');
  if (blocksIssuance(findings)) throw new IssuanceFailed('CERTIFICATE_LINT_FAILED', { reason: broken });
  if (findings.length > 0) warn(broken);
  return tbs;
}

/**
 * Signs the linted bytes with the authority's key. The result must contain the same bytes under a valid signature: a
 * module that signs something else, or wrongly, is detected here and not by the subscriber.
 * @throws IssuanceFailed CERTIFICATE_SIGNING_FAILED
 */
export async function signLinted(issuer: Issuer, linted: Uint8Array): Promise<ParsedCertificate> {
  const der = await signCertificate(linted, issuer.identity.signatureAlgorithm, issuer.sign);
  const parsed = parseCertificate(der);
  if (!parsed.ok || !sameTbs(parsed.value.tbs, linted)) {
    throw new IssuanceFailed('CERTIFICATE_SIGNING_FAILED', {
      reason: 'what was signed is not what was linted',
    });
  }
  if (!verify('sha256', linted, issuer.publicKey, parsed.value.signature.bytes)) {
    throw new IssuanceFailed('CERTIFICATE_SIGNING_FAILED', { reason: 'the signature does not verify' });
  }
  return parsed.value;
}
