import { type KeyObject, randomBytes } from 'node:crypto';
import {
  type NameAttribute,
  nameValue,
  ocspResponderProfile,
  type ParsedCertificate,
  responderExpectation,
  responderTbs,
  responderValidity,
  SERIAL_RANDOM_BYTES,
  type Signer,
  serialFromRandom,
} from '@rubrica/pki';
import type { AuthorityKeys } from '../authority-keys.ts';
import type { AuthorityRecord } from './authority-file.ts';
import { certify, identityOf } from './certify.ts';

/** An authority whose key is at hand. */
export interface SigningAuthority {
  readonly name: string;
  readonly certificate: ParsedCertificate;
  readonly publicKey: KeyObject;
  readonly sign: Signer;
}

/** Its key is small and quick: it signs far more often than the authority's own. */
const keyAlgorithm = 'P_256';

/** A delegated OCSP responder with a key of its own, certified by the authority it answers for (RFC 6960 §4.2.2.2). */
export async function makeResponder(
  authority: SigningAuthority,
  { keys, now }: { keys: Pick<AuthorityKeys, 'make'>; now: Date },
): Promise<NonNullable<AuthorityRecord['responder']>> {
  const { certificate } = authority;
  const key = await keys.make(`${authority.name}-ocsp`, keyAlgorithm);
  const issuer = identityOf(certificate);
  const profile = ocspResponderProfile;
  const validity = responderValidity({
    days: profile.lifetimeDays,
    now,
    issuerNotAfter: certificate.notAfter.date,
  });
  const tbs = responderTbs({
    profile,
    issuer,
    subject: responderName(certificate),
    serial: serialFromRandom(randomBytes(SERIAL_RANDOM_BYTES)),
    validity,
    spki: key.publicKey.export({ type: 'spki', format: 'der' }),
  });
  const expected = responderExpectation({
    profile,
    issuer: certificate,
    keyAlgorithm,
    notAfterLimit: validity.notAfter,
  });
  const made = await certify(tbs, { ...authority, signatureAlgorithm: issuer.signatureAlgorithm }, expected);
  return { certificate: Buffer.from(made.raw).toString('base64'), key: key.reference };
}

/** As its authority is called, with a common name that says what it is for, within X.520's 64 characters. */
function responderName({ subject }: ParsedCertificate): NameAttribute[] {
  const of = (type: 'countryName' | 'organizationName' | 'commonName') => nameValue(subject, type) ?? '';
  return [
    { type: 'countryName', value: of('countryName') },
    { type: 'organizationName', value: of('organizationName') },
    { type: 'commonName', value: `${of('commonName').slice(0, 59)} OCSP` },
  ];
}
