import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { SignatureAlgorithm } from '../src/certificate/algorithms.ts';
import {
  authorityTbs,
  type IssuerIdentity,
  type Publication,
  responderTbs,
  subscriberTbs,
} from '../src/certificate/build.ts';
import { keyIdentifier } from '../src/certificate/extensions.ts';
import { keySigner } from '../src/certificate/key-signer.ts';
import { type ParsedCertificate, parseCertificate } from '../src/certificate/parse.ts';
import { SERIAL_RANDOM_BYTES, serialFromRandom } from '../src/certificate/serial.ts';
import { signCertificate } from '../src/certificate/tbs.ts';
import { crlTbs, signCrl } from '../src/crl/build.ts';
import { authorityProfiles, ocspResponderProfile } from '../src/profile/authority-profiles.ts';
import { identityFields } from '../src/profile/identity-fields.ts';
import { type Subscriber, subscriberSubject } from '../src/profile/subject.ts';
import { subscriberProfile } from '../src/profile/subscriber-profiles.ts';

export type TestKey = { spki: Uint8Array; pkcs8: Uint8Array; privateKey: KeyObject };

export function makeKey(kind: 'rsa' | 'ec' = 'ec', modulusLength = 2048): TestKey {
  const { publicKey, privateKey } =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    spki: publicKey.export({ format: 'der', type: 'spki' }),
    pkcs8: privateKey.export({ format: 'der', type: 'pkcs8' }),
    privateKey,
  };
}

export const publication: Publication = {
  policyArc: '1.3.6.1.4.1.32473.1',
  caIssuersUri: 'http://pki.example.test/pki/issuing.cer',
  ocspUri: 'http://pki.example.test/pki/ocsp',
  crlUri: 'http://pki.example.test/pki/issuing.crl',
  documentSigning: true,
  identityFields: { form: 'extensions', arc: '1.3.6.1.4.1.32473.1.3', named: ['address', 'phone'] },
};

export const makeSerial = () => serialFromRandom(randomBytes(SERIAL_RANDOM_BYTES));

export function parsed(der: Uint8Array): ParsedCertificate {
  const result = parseCertificate(der);
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
}

const authorityName = (commonName: string) =>
  [
    { type: 'countryName', value: 'EC' },
    { type: 'organizationName', value: 'Rubrica' },
    { type: 'commonName', value: commonName },
  ] as const;

export type TestAuthority = {
  certificate: Uint8Array;
  parsed: ParsedCertificate;
  key: TestKey;
  identity: IssuerIdentity;
};

const validity = { notBefore: new Date('2020-01-01T00:00:00Z'), notAfter: new Date('2060-12-31T23:59:59Z') };

export async function makeRoot(kind: 'rsa' | 'ec' = 'ec'): Promise<TestAuthority> {
  const key = makeKey(kind);
  const signatureAlgorithm = signatureOf(kind);
  const tbs = authorityTbs({
    profile: authorityProfiles.root,
    subject: authorityName('Test Root CA'),
    serial: makeSerial(),
    validity,
    spki: key.spki,
    signatureAlgorithm,
  });
  return authorityFrom(await signCertificate(tbs, signatureAlgorithm, keySigner(key.privateKey)), key, kind);
}

export async function makeIssuing(root: TestAuthority, kind: 'rsa' | 'ec' = 'ec'): Promise<TestAuthority> {
  const key = makeKey(kind);
  const { signatureAlgorithm } = root.identity;
  const tbs = authorityTbs({
    profile: authorityProfiles.issuing,
    subject: authorityName('Test Issuing CA'),
    serial: makeSerial(),
    validity: { ...validity, notAfter: new Date('2059-12-31T23:59:59Z') },
    spki: key.spki,
    signatureAlgorithm,
    issuer: {
      name: root.identity.name,
      keyId: root.identity.keyId,
      caIssuersUri: 'http://pki.example.test/pki/root.cer',
      crlUri: 'http://pki.example.test/pki/root.crl',
    },
  });
  const certificate = await signCertificate(tbs, signatureAlgorithm, keySigner(root.key.privateKey));
  return authorityFrom(certificate, key, kind);
}

export const signatureOf = (kind: 'rsa' | 'ec'): SignatureAlgorithm =>
  kind === 'rsa' ? 'sha256WithRSAEncryption' : 'ecdsa-with-SHA256';

function authorityFrom(certificate: Uint8Array, key: TestKey, kind: 'rsa' | 'ec'): TestAuthority {
  const view = parsed(certificate);
  return {
    certificate,
    parsed: view,
    key,
    identity: {
      name: view.subject.raw,
      keyId: keyIdentifier(key.spki),
      signatureAlgorithm: signatureOf(kind),
    },
  };
}

export const makeSubscriber = (overrides: Partial<Subscriber> = {}): Subscriber => ({
  identificationNumber: '1710034065',
  givenNames: 'MARÍA JOSÉ',
  firstSurname: 'ÑÚÑEZ',
  secondSurname: 'PAZMIÑO',
  countryCode: 'EC',
  locality: 'Quito',
  ruc: '1790012345001',
  organizationName: 'Compañía de Pruebas S.A.',
  title: 'Gerente General',
  address: 'Av. Amazonas N21-147',
  phone: '+593991234567',
  ...overrides,
});

export type SubscriberTbsInput = Parameters<typeof subscriberTbs>[0];

/** Everything a subscriber's to-be-signed certificate is made of; override one part. */
export function makeSubscriberInput(
  issuer: TestAuthority,
  key: TestKey,
  overrides: Partial<SubscriberTbsInput> = {},
): SubscriberTbsInput {
  const profile = subscriberProfile('LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE');
  const subscriber = makeSubscriber();
  const subject = subscriberSubject(profile, subscriber, 'VATEC');
  if (!subject.ok) throw new Error(subject.error.attribute);
  return {
    profile,
    issuer: issuer.identity,
    publication,
    subject: subject.value.attributes,
    email: 'maria@example.test',
    identityFields: identityFields(profile, subscriber, publication.identityFields.named),
    serial: makeSerial(),
    validity: {
      notBefore: new Date('2026-03-01T12:00:00Z'),
      notAfter: new Date('2028-03-01T11:59:59Z'),
    },
    spki: key.spki,
    ...overrides,
  };
}

export async function makeSubscriberCertificate(
  issuer: TestAuthority,
  key: TestKey,
  overrides: Partial<SubscriberTbsInput> = {},
): Promise<Uint8Array> {
  const tbs = subscriberTbs(makeSubscriberInput(issuer, key, overrides));
  return signCertificate(tbs, issuer.identity.signatureAlgorithm, keySigner(issuer.key.privateKey));
}

export type TestResponder = { certificate: Uint8Array; parsed: ParsedCertificate; key: TestKey };

export type ResponderTbsInput = Parameters<typeof responderTbs>[0];

/** An OCSP responder that answers for `issuer`; override one part of its certificate. */
export async function makeResponder(
  issuer: TestAuthority,
  kind: 'rsa' | 'ec' = 'ec',
  overrides: Partial<ResponderTbsInput> = {},
): Promise<TestResponder> {
  const key = makeKey(kind);
  const tbs = responderTbs({
    profile: ocspResponderProfile,
    issuer: issuer.identity,
    subject: authorityName('Test OCSP Responder'),
    serial: makeSerial(),
    validity: { notBefore: new Date('2026-12-01T00:00:00Z'), notAfter: new Date('2027-02-28T23:59:59Z') },
    spki: key.spki,
    ...overrides,
  });
  const signer = keySigner(issuer.key.privateKey);
  const certificate = await signCertificate(tbs, issuer.identity.signatureAlgorithm, signer);
  return { certificate, parsed: parsed(certificate), key };
}

export type CrlInput = Parameters<typeof crlTbs>[0];

/** A signed list of `issuer`, in force on 1 January 2027. */
export function makeCrl(issuer: TestAuthority, overrides: Partial<CrlInput> = {}): Promise<Uint8Array> {
  const tbs = crlTbs({
    issuer: issuer.identity,
    number: 7n,
    thisUpdate: new Date('2026-12-31T23:00:00Z'),
    nextUpdate: new Date('2027-01-01T23:00:00Z'),
    entries: [],
    ...overrides,
  });
  return signCrl(tbs, issuer.identity.signatureAlgorithm, keySigner(issuer.key.privateKey));
}
