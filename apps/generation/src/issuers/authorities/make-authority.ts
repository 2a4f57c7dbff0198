import { randomBytes } from 'node:crypto';
import {
  type AuthorityProfile,
  authorityExpectation,
  authorityProfiles,
  authorityTbs,
  authorityValidity,
  type KeyAlgorithm,
  keyAlgorithms,
  type NameAttribute,
  SERIAL_RANDOM_BYTES,
  serialFromRandom,
} from '@rubrica/pki';
import type { AuthorityKeys } from '../authority-keys.ts';
import type { AuthorityRecord, KeyReference } from './authority-file.ts';
import { certify, identityOf } from './certify.ts';
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
  const made = await makeAuthority(choices, {
    name: number === 1 ? 'issuing' : `issuing-${number}`,
    commonName: `${choices.commonName} Issuing CA${number === 1 ? '' : ` ${number}`}`,
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

async function makeAuthority(
  choices: AuthorityChoices,
  what: { name: string; commonName: string; profile: AuthorityProfile; parent?: SigningAuthority },
): Promise<Made> {
  const { profile, parent, name } = what;
  const { reference, publicKey, sign } = await choices.keys.authorities.make(name, choices.keyAlgorithm);
  const signatureAlgorithm = parent
    ? identityOf(parent.certificate).signatureAlgorithm
    : keyAlgorithms[choices.keyAlgorithm].signature;
  const validity = authorityValidity({
    years: profile.lifetimeYears,
    now: choices.now,
    issuerNotAfter: parent?.certificate.notAfter.date,
  });
  const tbs = authorityTbs({
    profile,
    subject: authorityName(choices.organization, what.commonName),
    serial: serialFromRandom(randomBytes(SERIAL_RANDOM_BYTES)),
    validity,
    spki: publicKey.export({ type: 'spki', format: 'der' }),
    signatureAlgorithm,
    issuer: parent && {
      name: parent.certificate.subject.raw,
      keyId: identityOf(parent.certificate).keyId,
      caIssuersUri: `${choices.pkiBaseUrl}/pki/${parent.name}.cer`,
      crlUri: `${choices.pkiBaseUrl}/pki/${parent.name}.crl`,
    },
  });
  const expected = authorityExpectation({
    profile,
    issuer: parent?.certificate,
    keyAlgorithm: choices.keyAlgorithm,
    notAfterLimit: validity.notAfter,
  });
  const by = parent ?? { sign, publicKey };
  const certificate = await certify(tbs, { ...by, signatureAlgorithm }, expected);
  return { authority: { name, certificate, publicKey, sign }, key: reference };
}

function recordOf({ authority: { name, certificate }, key }: Made) {
  return {
    name,
    certificate: Buffer.from(certificate.raw).toString('base64'),
    key,
  };
}

function authorityName(organization: string, commonName: string): NameAttribute[] {
  return [
    { type: 'countryName', value: 'EC' },
    { type: 'organizationName', value: organization },
    { type: 'commonName', value: commonName },
  ];
}
