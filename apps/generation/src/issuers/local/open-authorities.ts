import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  type IssuerIdentity,
  keyIdentifier,
  keySigner,
  type NameAttribute,
  type ParsedCertificate,
  parseCertificate,
} from '@rubrica/pki';
import type { Issuer, Issuers, RootAuthority } from '../issuer.ts';
import type { AuthorityRecord } from './authority-file.ts';
import { makeResponder } from './make-responder.ts';

/**
 * The built-in issuer: keys sealed on disk, opened at the start and held in memory. For testing and for trying the
 * product out; a real authority keeps its key in an HSM.
 * @throws Error when a key cannot be opened or does not belong to its certificate
 */
export async function openAuthorities(
  records: readonly AuthorityRecord[],
  open: (sealedKey: string) => Promise<Uint8Array>,
): Promise<Issuers> {
  const active = records.find((record) => record.kind === 'issuing' && record.active);
  if (active === undefined) throw new Error('no authority is active');
  const others = records.filter((record) => record.kind === 'issuing' && record !== active);
  const all = await Promise.all([active, ...others].map((record) => openIssuer(record, { records, open })));
  const [first] = all;
  if (first === undefined) throw new Error('no authority is active');
  return {
    active: first,
    all,
    root: openRoot(records, open),
    published: records.map(({ name, kind, certificate }) => ({
      name,
      kind,
      certificate: Buffer.from(certificate, 'base64'),
    })),
  };
}

async function openIssuer(
  record: AuthorityRecord,
  {
    records,
    open,
  }: { records: readonly AuthorityRecord[]; open: (sealedKey: string) => Promise<Uint8Array> },
): Promise<Issuer> {
  const chain = chainOf(record, records);
  const certificate = parsed(record);
  const pkcs8 = await open(record.sealedKey);
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key);
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  if (!spki.equals(certificate.publicKey.raw))
    throw new Error(`the key of ${record.name} is not its certificate's`);
  const issuer = {
    name: record.name,
    certificate,
    chain,
    identity: identityOf(certificate, publicKey),
    publicKey,
    sign: keySigner(key),
  };
  const subject: NameAttribute[] = [
    { type: 'countryName', value: 'EC' },
    { type: 'commonName', value: `Rubrica Test OCSP Responder ${record.name}` },
  ];
  const responder = await makeResponder(issuer, subject, generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  return { ...issuer, responder };
}

function identityOf(certificate: ParsedCertificate, publicKey: KeyObject): IssuerIdentity {
  return {
    name: certificate.subject.raw,
    keyId: keyIdentifier(certificate.publicKey.raw),
    signatureAlgorithm:
      publicKey.asymmetricKeyType === 'rsa' ? 'sha256WithRSAEncryption' : 'ecdsa-with-SHA256',
  };
}

/** Its key is opened for each signature and forgotten: a CRL is due twice in its life, a root should rest. */
function openRoot(
  records: readonly AuthorityRecord[],
  open: (sealedKey: string) => Promise<Uint8Array>,
): RootAuthority | undefined {
  const record = records.find(({ kind }) => kind === 'root');
  if (record === undefined) return undefined;
  const certificate = parsed(record);
  const publicKey = createPublicKey({
    key: Buffer.from(certificate.publicKey.raw),
    format: 'der',
    type: 'spki',
  });
  return {
    name: record.name,
    identity: identityOf(certificate, publicKey),
    publicKey,
    async sign(tbs) {
      const pkcs8 = Buffer.from(await open(record.sealedKey));
      const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
      pkcs8.fill(0);
      return keySigner(key)(tbs);
    },
  };
}

function chainOf(record: AuthorityRecord, records: readonly AuthorityRecord[]): Uint8Array[] {
  const chain: Uint8Array[] = [];
  for (let at: AuthorityRecord | undefined = record; at !== undefined; ) {
    chain.push(Buffer.from(at.certificate, 'base64'));
    // Bounded by the number of records, whatever a damaged file says about who is above whom.
    if (chain.length > records.length) throw new Error('the authorities sign each other in a circle');
    const { parent }: AuthorityRecord = at;
    at = records.find(({ name }) => name === parent);
  }
  return chain;
}

function parsed({ name, certificate }: AuthorityRecord): ParsedCertificate {
  const result = parseCertificate(Buffer.from(certificate, 'base64'));
  if (!result.ok) throw new Error(`the certificate of ${name} cannot be read: ${result.error.reason}`);
  return result.value;
}
