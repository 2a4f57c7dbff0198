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
import { certify, toIssuerIdentity } from './lint-and-sign.ts';

/** Authority with an open key. */
export interface SigningAuthority {
  readonly name: string;
  readonly certificate: ParsedCertificate;
  readonly publicKey: KeyObject;
  readonly sign: Signer;
}

/** Small and fast key: it signs far more often than the authority's own. */
const keyAlgorithm = 'P_256';

/** Creates a delegated OCSP responder with its own key, certified by its authority (RFC 6960 §4.2.2.2). */
export async function makeResponder(
  authority: SigningAuthority,
  { keys, now }: { keys: Pick<AuthorityKeys, 'make'>; now: Date },
): Promise<NonNullable<AuthorityRecord['responder']>> {
  const { certificate } = authority;
  const key = await keys.make(`${authority.name}-ocsp`, keyAlgorithm);
  const issuer = toIssuerIdentity(certificate);
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
  const responder = await certify(
    tbs,
    { ...authority, signatureAlgorithm: issuer.signatureAlgorithm },
    expected,
  );
  return { certificate: Buffer.from(responder.raw).toString('base64'), key: key.reference };
}

/** Builds the responder's name: the authority's with a suffix in the common name, within X.520's 64 characters. */
function responderName({ subject }: ParsedCertificate): NameAttribute[] {
  const getValue = (type: 'countryName' | 'organizationName' | 'commonName') =>
    nameValue(subject, type) ?? '';
  return [
    { type: 'countryName', value: getValue('countryName') },
    { type: 'organizationName', value: getValue('organizationName') },
    { type: 'commonName', value: `${getValue('commonName').slice(0, 59)} OCSP` },
  ];
}
