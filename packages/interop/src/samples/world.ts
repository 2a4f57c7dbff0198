import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  authorityProfiles,
  authorityTbs,
  crlTbs,
  type IssuerIdentity,
  type KeyAlgorithm,
  keyAlgorithms,
  keyIdentifier,
  keySigner,
  ocspResponderProfile,
  type ParsedCertificate,
  parseCertificate,
  responderKeyId,
  responderTbs,
  SERIAL_RANDOM_BYTES,
  serialFromRandom,
  signCertificate,
  signCrl,
} from '@rubrica/pki';
import { freePort } from '@rubrica/testkit/processes';

/** An authority with the means to sign, as in the service. */
export interface Authority {
  readonly name: string;
  readonly certificate: Uint8Array;
  readonly parsed: ParsedCertificate;
  readonly identity: IssuerIdentity;
  readonly sign: ReturnType<typeof keySigner>;
}

export interface Responder {
  readonly certificate: Uint8Array;
  readonly keyId: Uint8Array;
  readonly sign: ReturnType<typeof keySigner>;
}

/** Two issuing authorities under one root: the second replaced the first in a rotation. */
export interface Authorities {
  readonly root: Authority;
  readonly issuing: readonly Authority[];
}

/** Address on loopback, where a reader may serve OCSP answers while a program checks. */
export const pkiUrl = `http://127.0.0.1:${await freePort()}/pki`;
const hour = 3_600_000;
export const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
export const started = new Date(now.getTime() - hour);
const years = (count: number) => new Date(now.getTime() + count * 366 * 24 * hour);

export function makeKeyPair(algorithm: KeyAlgorithm) {
  const wanted = keyAlgorithms[algorithm];
  return wanted.kind === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: wanted.modulusBits })
    : generateKeyPairSync('ec', { namedCurve: wanted.curve });
}

export function exportPublicKey(key: KeyObject): Uint8Array {
  return key.export({ format: 'der', type: 'spki' });
}

export function makeSerial(): Uint8Array {
  return serialFromRandom(randomBytes(SERIAL_RANDOM_BYTES));
}

function parseOrThrow(der: Uint8Array): ParsedCertificate {
  const result = parseCertificate(der);
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
}

const algorithm = 'RSA_3072';
const { signature: signatureAlgorithm } = keyAlgorithms[algorithm];

function toName(commonName: string) {
  return [
    { type: 'countryName', value: 'EC' },
    { type: 'organizationName', value: 'Rubrica (testing only)' },
    { type: 'commonName', value: commonName },
  ] as const;
}

async function makeAuthority(name: string, commonName: string, parent?: Authority): Promise<Authority> {
  const { publicKey, privateKey } = makeKeyPair(algorithm);
  const spki = exportPublicKey(publicKey);
  const sign = keySigner(privateKey);
  const tbs = authorityTbs({
    profile: parent ? authorityProfiles.issuing : authorityProfiles.root,
    subject: toName(commonName),
    serial: makeSerial(),
    validity: { notBefore: started, notAfter: years(parent ? 10 : 20) },
    spki,
    signatureAlgorithm,
    issuer: parent && {
      name: parent.identity.name,
      keyId: parent.identity.keyId,
      caIssuersUri: `${pkiUrl}/${parent.name}.cer`,
      crlUri: `${pkiUrl}/${parent.name}.crl`,
    },
  });
  const certificate = await signCertificate(tbs, signatureAlgorithm, parent?.sign ?? sign);
  const view = parseOrThrow(certificate);
  const identity = { name: view.subject.raw, keyId: keyIdentifier(spki), signatureAlgorithm };
  return { name, certificate, parsed: view, identity, sign };
}

export async function makeAuthorities(): Promise<Authorities> {
  const root = await makeAuthority('root', 'Rubrica Test Root CA');
  const issuing = [
    await makeAuthority('issuing', 'Rubrica Test Issuing CA', root),
    await makeAuthority('issuing-2', 'Rubrica Test Issuing CA 2', root),
  ];
  return { root, issuing };
}

/** Creates an OCSP responder for its authority, with a P-256 key, as the service does. */
export async function makeResponder(issuer: Authority): Promise<Responder> {
  const { publicKey, privateKey } = makeKeyPair('P_256');
  const tbs = responderTbs({
    profile: ocspResponderProfile,
    issuer: issuer.identity,
    subject: toName('Rubrica Test OCSP Responder'),
    serial: makeSerial(),
    validity: { notBefore: started, notAfter: new Date(now.getTime() + 80 * 24 * hour) },
    spki: exportPublicKey(publicKey),
  });
  const certificate = await signCertificate(tbs, signatureAlgorithm, issuer.sign);
  return { certificate, keyId: responderKeyId(parseOrThrow(certificate)), sign: keySigner(privateKey) };
}

/** Creates the complete CRL of an authority, as for a large one: it names a delta, which programs may ignore. */
export async function makeCrl(
  { name, identity, sign }: Authority,
  entries: Parameters<typeof crlTbs>[0]['entries'],
): Promise<Uint8Array> {
  const nextUpdate = new Date(now.getTime() + 24 * hour);
  const freshestUri = `${pkiUrl}/${name}-delta.crl`;
  const tbs = crlTbs({ issuer: identity, number: 1n, thisUpdate: started, nextUpdate, entries, freshestUri });
  return signCrl(tbs, signatureAlgorithm, sign);
}

export function toPem(der: Uint8Array, label = 'CERTIFICATE'): string {
  const lines = Buffer.from(der).toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

/** Creates a function that writes files into a folder. */
export function writer(directory: string): (name: string, content: Uint8Array | string) => string {
  mkdirSync(directory, { recursive: true });
  return (name, content) => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };
}
