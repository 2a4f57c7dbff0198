import { type KeyObject, randomBytes } from 'node:crypto';
import {
  type AuthorityProfile,
  authorityExpectation,
  authorityProfiles,
  authorityTbs,
  authorityValidity,
  type KeyAlgorithm,
  type LintExpectation,
  type NameAttribute,
  type ParsedCertificate,
  type ParsedName,
  SERIAL_RANDOM_BYTES,
  serialFromRandom,
} from '@rubrica/pki';
import type { AuthorityKeys } from '../authority-keys.ts';
import type { AuthorityRecord, KeyReference } from './authority-file.ts';
import { certify, identityOf, signatureAlgorithmOf } from './certify.ts';
import { makeResponder, type SigningAuthority } from './make-responder.ts';

/** What the operator has chosen for new authorities. */
export interface AuthorityChoices {
  readonly organization: string;
  /** What common names begin with. */
  readonly commonName: string;
  readonly keyAlgorithm: KeyAlgorithm;
  /** Where the certificates will be published, without a closing slash. */
  readonly pkiBaseUrl: string;
  readonly now: Date;
  readonly keys: {
    readonly authorities: Pick<AuthorityKeys, 'make'>;
    readonly responders: Pick<AuthorityKeys, 'make'>;
  };
}

interface Made {
  readonly authority: SigningAuthority;
  readonly key: KeyReference;
}

/** A root and an issuing authority below it. */
export async function createAuthorities(choices: AuthorityChoices): Promise<AuthorityRecord[]> {
  const root = await makeAuthority(choices, {
    name: 'root',
    commonName: `${choices.commonName} Root CA`,
    profile: authorityProfiles.root,
  });
  const record: AuthorityRecord = {
    ...recordOf(root),
    kind: 'root',
    parent: null,
    activeFrom: null,
    responder: null,
  };
  const issuing = await createIssuing(choices, {
    root: root.authority,
    number: 1,
    activeFrom: choices.now,
  });
  return [record, issuing];
}

/** An issuing authority with its responder. The first has no number, those that follow it do. */
export async function createIssuing(
  choices: AuthorityChoices,
  { root, number, activeFrom }: { root: SigningAuthority; number: number; activeFrom: Date },
): Promise<AuthorityRecord> {
  const { name, commonName } = issuingName(choices.commonName, number);
  const made = await makeAuthority(choices, {
    name,
    commonName,
    profile: authorityProfiles.issuing,
    parent: root,
  });
  const { now, keys } = choices;
  return {
    ...recordOf(made),
    kind: 'issuing',
    parent: root.name,
    activeFrom: activeFrom.toISOString(),
    responder: await makeResponder(made.authority, { keys: keys.responders, now }),
  };
}

/** What an issuing authority is called, here and in its certificate. */
export function issuingName(prefix: string, number: number): { name: string; commonName: string } {
  return number === 1
    ? { name: 'issuing', commonName: `${prefix} Issuing CA` }
    : { name: `issuing-${number}`, commonName: `${prefix} Issuing CA ${number}` };
}

async function makeAuthority(
  choices: AuthorityChoices,
  what: { name: string; commonName: string; profile: AuthorityProfile; parent?: SigningAuthority },
): Promise<Made> {
  const { profile, parent, name } = what;
  const { keyAlgorithm, pkiBaseUrl, now } = choices;
  const { reference, publicKey, sign } = await choices.keys.authorities.make(name, keyAlgorithm);
  const subject = authorityName(choices.organization, what.commonName);
  const of = { profile, subject, publicKey, keyAlgorithm, parent, pkiBaseUrl };
  const certificate = await certifyAuthority(of, parent ?? { sign, publicKey }, now);
  return { authority: { name, certificate, publicKey, sign }, key: reference };
}

/** An authority to be: what its certificate is made from, but for serial number and validity. */
export interface AuthorityPlan {
  readonly profile: AuthorityProfile;
  readonly subject: readonly NameAttribute[];
  readonly publicKey: KeyObject;
  readonly keyAlgorithm: KeyAlgorithm;
  /** None for a root. */
  readonly parent: Pick<SigningAuthority, 'name' | 'certificate'> | undefined;
  readonly pkiBaseUrl: string;
}

/** Signs the certificate of an authority, with its own key where it is a root. @throws Error that names a broken rule */
export async function certifyAuthority(
  plan: AuthorityPlan,
  by: Pick<SigningAuthority, 'sign' | 'publicKey'>,
  now: Date,
): Promise<ParsedCertificate> {
  const { profile, parent } = plan;
  const validity = authorityValidity({
    years: profile.lifetimeYears,
    now,
    issuerNotAfter: parent?.certificate.notAfter.date,
  });
  const tbs = planTbs(plan, { serial: serialFromRandom(randomBytes(SERIAL_RANDOM_BYTES)), validity });
  const signatureAlgorithm = signatureAlgorithmOf(by.publicKey);
  return certify(tbs, { ...by, signatureAlgorithm }, expectationOf(plan, validity.notAfter));
}

/** To-be-signed certificate of a plan: what is signed in one place is known octet by octet in the other. */
export function planTbs(
  { profile, subject, publicKey, parent, pkiBaseUrl }: AuthorityPlan,
  drawn: { serial: Uint8Array; validity: { notBefore: Date; notAfter: Date } },
): Uint8Array {
  return authorityTbs({
    profile,
    subject,
    ...drawn,
    spki: publicKey.export({ type: 'spki', format: 'der' }),
    signatureAlgorithm: parent
      ? identityOf(parent.certificate).signatureAlgorithm
      : signatureAlgorithmOf(publicKey),
    issuer: parent && {
      name: parent.certificate.subject.raw,
      keyId: identityOf(parent.certificate).keyId,
      caIssuersUri: `${pkiBaseUrl}/pki/${parent.name}.cer`,
      crlUri: `${pkiBaseUrl}/pki/${parent.name}.crl`,
    },
  });
}

export function expectationOf(
  { profile, parent, keyAlgorithm }: Pick<AuthorityPlan, 'profile' | 'parent' | 'keyAlgorithm'>,
  notAfterLimit: Date,
): LintExpectation {
  return authorityExpectation({ profile, issuer: parent?.certificate, keyAlgorithm, notAfterLimit });
}

function recordOf({ authority: { name, certificate }, key }: Made) {
  return {
    name,
    certificate: Buffer.from(certificate.raw).toString('base64'),
    key,
  };
}

/** The parts of an authority's name, in their order. @throws Error when it has others */
export function namesOf({ attributes }: ParsedName): NameAttribute[] {
  const found = attributes.map(({ type }) => type).join();
  if (found !== 'countryName,organizationName,commonName') {
    throw new Error(
      'the name of an authority has a country, an organization and a common name, and nothing else',
    );
  }
  return attributes.flatMap(({ type, value }) => (type === undefined ? [] : [{ type, value }]));
}

export function authorityName(organization: string, commonName: string): NameAttribute[] {
  return [
    { type: 'countryName', value: 'EC' },
    { type: 'organizationName', value: organization },
    { type: 'commonName', value: commonName },
  ];
}
