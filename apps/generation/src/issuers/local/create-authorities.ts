import { generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type AuthorityProfile,
  authorityExpectation,
  authorityProfiles,
  authorityTbs,
  authorityValidity,
  type KeyAlgorithm,
  keyAlgorithms,
  keyIdentifier,
  keySigner,
  lintCertificate,
  type NameAttribute,
  type ParsedCertificate,
  parseCertificate,
  SERIAL_RANDOM_BYTES,
  serialFromRandom,
  signCertificate,
} from '@rubrica/pki';
import type { AuthorityRecord } from './authority-file.ts';

export interface CreateAuthoritiesOptions {
  readonly organization: string;
  readonly keyAlgorithm: KeyAlgorithm;
  /** Where the certificates will be published, without a closing slash. */
  readonly pkiBaseUrl: string;
  readonly now: Date;
  readonly seal: (pkcs8: Uint8Array) => Promise<string>;
}

interface Made {
  readonly certificate: ParsedCertificate;
  readonly key: KeyObject;
  readonly keyId: Uint8Array;
}

/** A root and an issuing authority below it, for the built-in issuer. Their names say that they are for testing. */
export async function createAuthorities(options: CreateAuthoritiesOptions): Promise<AuthorityRecord[]> {
  const root = await makeAuthority(options, {
    profile: authorityProfiles.root,
    commonName: 'Rubrica Test Root CA',
  });
  const issuing = await makeAuthority(options, {
    profile: authorityProfiles.issuing,
    commonName: 'Rubrica Test Issuing CA',
    parent: root,
  });
  const record = async (name: string, { certificate, key }: Made) => ({
    name,
    active: true,
    certificate: Buffer.from(certificate.raw).toString('base64'),
    sealedKey: await options.seal(key.export({ type: 'pkcs8', format: 'der' })),
  });
  return [
    { ...(await record(rootName, root)), kind: 'root', parent: null },
    { ...(await record(issuingName, issuing)), kind: 'issuing', parent: rootName },
  ];
}

/** Names of the published files; an authority that follows one of them gets a number. */
const rootName = 'root';
const issuingName = 'issuing';

async function makeAuthority(
  options: CreateAuthoritiesOptions,
  what: { profile: AuthorityProfile; commonName: string; parent?: Made },
): Promise<Made> {
  const { profile, parent } = what;
  const { publicKey, privateKey } = await makeKey(options.keyAlgorithm);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const signatureAlgorithm = keyAlgorithms[options.keyAlgorithm].signature;
  const validity = authorityValidity({
    years: profile.lifetimeYears,
    now: options.now,
    issuerNotAfter: parent?.certificate.notAfter.date,
  });
  const tbs = authorityTbs({
    profile,
    subject: authorityName(options.organization, what.commonName),
    serial: serialFromRandom(randomBytes(SERIAL_RANDOM_BYTES)),
    validity,
    spki,
    signatureAlgorithm,
    issuer: parent && {
      name: parent.certificate.subject.raw,
      keyId: parent.keyId,
      caIssuersUri: `${options.pkiBaseUrl}/pki/${rootName}.cer`,
      crlUri: `${options.pkiBaseUrl}/pki/${rootName}.crl`,
    },
  });
  const der = await signCertificate(tbs, signatureAlgorithm, keySigner(parent?.key ?? privateKey));
  const expected = authorityExpectation({
    profile,
    issuer: parent?.certificate,
    keyAlgorithm: options.keyAlgorithm,
    notAfterLimit: validity.notAfter,
  });
  const [finding] = lintCertificate(der, expected);
  if (finding) throw new Error(`the ${profile.kind} certificate breaks ${finding.rule}: ${finding.message}`);
  const parsed = parseCertificate(der);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return { certificate: parsed.value, key: privateKey, keyId: keyIdentifier(spki) };
}

const authorityName = (organization: string, commonName: string): NameAttribute[] => [
  { type: 'countryName', value: 'EC' },
  { type: 'organizationName', value: organization },
  { type: 'commonName', value: commonName },
];

function makeKey(algorithm: KeyAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  const wanted = keyAlgorithms[algorithm];
  return wanted.kind === 'rsa'
    ? promisify(generateKeyPair)('rsa', { modulusLength: wanted.modulusBits })
    : promisify(generateKeyPair)('ec', { namedCurve: wanted.curve });
}
