import { type KeyObject, randomBytes } from 'node:crypto';
import {
  type IssuerIdentity,
  keySigner,
  type NameAttribute,
  ocspResponderProfile,
  type ParsedCertificate,
  parseCertificate,
  responderKeyId,
  responderTbs,
  responderValidity,
  SERIAL_RANDOM_BYTES,
  type Signer,
  serialFromRandom,
  signCertificate,
} from '@rubrica/pki';
import type { Responder } from '../issuer.ts';

/** A delegated responder with a key of its own, certified by the authority it answers for. */
export async function makeResponder(
  issuer: { identity: IssuerIdentity; certificate: ParsedCertificate; sign: Signer },
  subject: readonly NameAttribute[],
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
): Promise<Responder> {
  const { identity } = issuer;
  const tbs = responderTbs({
    profile: ocspResponderProfile,
    issuer: identity,
    subject,
    serial: serialFromRandom(randomBytes(SERIAL_RANDOM_BYTES)),
    validity: responderValidity({
      days: ocspResponderProfile.lifetimeDays,
      now: new Date(),
      issuerNotAfter: issuer.certificate.notAfter.date,
    }),
    spki: publicKey.export({ format: 'der', type: 'spki' }),
  });
  const parsed = parseCertificate(await signCertificate(tbs, identity.signatureAlgorithm, issuer.sign));
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return {
    certificate: parsed.value,
    keyId: responderKeyId(parsed.value),
    signatureAlgorithm:
      publicKey.asymmetricKeyType === 'rsa' ? 'sha256WithRSAEncryption' : 'ecdsa-with-SHA256',
    sign: keySigner(privateKey),
  };
}
