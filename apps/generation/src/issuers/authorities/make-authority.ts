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
import { certify, selectSignatureAlgorithm, toIssuerIdentity } from './lint-and-sign.ts';
import { makeResponder, type SigningAuthority } from './make-responder.ts';

/** Settings for new authorities. */
export interface AuthorityChoices {
  readonly organization: string;
  /** Prefix of common names. */
  readonly commonName: string;
  readonly keyAlgorithm: KeyAlgorithm;
  /** Base address of the published certificates, without a trailing slash. */
  readonly pkiBaseUrl: string;
  readonly now: Date;
  readonly keys: {
    readonly authorities: Pick<AuthorityKeys, 'make'>;
    readonly responders: Pick<AuthorityKeys, 'make'>;
  };
}

interface NewAuthority {
  readonly authority: SigningAuthority;
  readonly key: KeyReference;
}

/** Creates a root and an issuing authority below it. */
export async function createAuthorities(choices: AuthorityChoices): Promise<AuthorityRecord[]> {
  const root = await makeAuthority(choices, {
    name: 'root',
    commonName: `${choices.commonName} Root CA`,
    profile: authorityProfiles.root,
  });
  const record: AuthorityRecord = {
    ...toRecord(root),
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

/** Creates an issuing authority with its responder. The first has no number, later ones do. */
export async function createIssuing(
  choices: AuthorityChoices,
  { root, number, activeFrom }: { root: SigningAuthority; number: number; activeFrom: Date },
): Promise<AuthorityRecord> {
  const { name, commonName } = formatIssuingName(choices.commonName, number);
  const created = await makeAuthority(choices, {
    name,
    commonName,
    profile: authorityProfiles.issuing,
    parent: root,
  });
  const { now, keys } = choices;
  return {
    ...toRecord(created),
    kind: 'issuing',
    parent: root.name,
    activeFrom: activeFrom.toISOString(),
    responder: await makeResponder(created.authority, { keys: keys.responders, now }),
  };
}

/** Returns the name of an issuing authority, internally and in its certificate. */
export function formatIssuingName(prefix: string, number: number): { name: string; commonName: string } {
  return number === 1
    ? { name: 'issuing', commonName: `${prefix} Issuing CA` }
    : { name: `issuing-${number}`, commonName: `${prefix} Issuing CA ${number}` };
}

async function makeAuthority(
  choices: AuthorityChoices,
  options: { name: string; commonName: string; profile: AuthorityProfile; parent?: SigningAuthority },
): Promise<NewAuthority> {
  const { profile, parent, name } = options;
  const { keyAlgorithm, pkiBaseUrl, now } = choices;
  const { reference, publicKey, sign } = await choices.keys.authorities.make(name, keyAlgorithm);
  const subject = buildAuthorityName(choices.organization, options.commonName);
  const plan = { profile, subject, publicKey, keyAlgorithm, parent, pkiBaseUrl };
  const certificate = await certifyAuthority(plan, parent ?? { sign, publicKey }, now);
  return { authority: { name, certificate, publicKey, sign }, key: reference };
}

/** Content of an authority's certificate, except serial number and validity. */
export interface AuthorityPlan {
  readonly profile: AuthorityProfile;
  readonly subject: readonly NameAttribute[];
  readonly publicKey: KeyObject;
  readonly keyAlgorithm: KeyAlgorithm;
  /** Parent authority; undefined for a root. */
  readonly parent: Pick<SigningAuthority, 'name' | 'certificate'> | undefined;
  readonly pkiBaseUrl: string;
}

/**
 * Signs the certificate of an authority; a root signs its own.
 * @throws Error that names a broken rule
 */
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
  const tbs = buildAuthorityTbs(plan, {
    serial: serialFromRandom(randomBytes(SERIAL_RANDOM_BYTES)),
    validity,
  });
  const signatureAlgorithm = selectSignatureAlgorithm(by.publicKey);
  return certify(tbs, { ...by, signatureAlgorithm }, createAuthorityExpectation(plan, validity.notAfter));
}

/**
 * Builds the to-be-signed certificate of a plan. It is deterministic, so root and service can compare it byte for byte.
 */
export function buildAuthorityTbs(
  { profile, subject, publicKey, parent, pkiBaseUrl }: AuthorityPlan,
  drawn: { serial: Uint8Array; validity: { notBefore: Date; notAfter: Date } },
): Uint8Array {
  return authorityTbs({
    profile,
    subject,
    ...drawn,
    spki: publicKey.export({ type: 'spki', format: 'der' }),
    signatureAlgorithm: parent
      ? toIssuerIdentity(parent.certificate).signatureAlgorithm
      : selectSignatureAlgorithm(publicKey),
    issuer: parent && {
      name: parent.certificate.subject.raw,
      keyId: toIssuerIdentity(parent.certificate).keyId,
      caIssuersUri: `${pkiBaseUrl}/pki/${parent.name}.cer`,
      crlUri: `${pkiBaseUrl}/pki/${parent.name}.crl`,
    },
  });
}

export function createAuthorityExpectation(
  { profile, parent, keyAlgorithm }: Pick<AuthorityPlan, 'profile' | 'parent' | 'keyAlgorithm'>,
  notAfterLimit: Date,
): LintExpectation {
  return authorityExpectation({ profile, issuer: parent?.certificate, keyAlgorithm, notAfterLimit });
}

function toRecord({ authority: { name, certificate }, key }: NewAuthority) {
  return {
    name,
    certificate: Buffer.from(certificate.raw).toString('base64'),
    key,
  };
}

/**
 * Returns the attributes of an authority's name, in order.
 * @throws Error when it has others
 */
export function toNameAttributes({ attributes }: ParsedName): NameAttribute[] {
  const found = attributes.map(({ type }) => type).join();
  if (found !== 'countryName,organizationName,commonName') {
    throw new Error(
      'the name of an authority has a country, an organization and a common name, and nothing else',
    );
  }
  return attributes.flatMap(({ type, value }) => (type === undefined ? [] : [{ type, value }]));
}

export function buildAuthorityName(organization: string, commonName: string): NameAttribute[] {
  return [
    { type: 'countryName', value: 'EC' },
    { type: 'organizationName', value: organization },
    { type: 'commonName', value: commonName },
  ];
}
