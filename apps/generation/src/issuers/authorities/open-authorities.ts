import type { KeyObject } from 'node:crypto';
import { parseCrl, responderKeyId } from '@rubrica/pki';
import type { AuthorityKeys } from '../authority-keys.ts';
import type { Issuer, PublishedAuthority, PublishedCrl, Responder, RootAuthority } from '../issuer.ts';
import type { AuthorityRecord } from './authority-file.ts';
import {
  parseAuthorityCertificate,
  selectSignatureAlgorithm,
  toIssuerIdentity,
  toPublicKey,
} from './lint-and-sign.ts';

/** Authorities of one revision with open keys. */
export interface OpenAuthorities {
  /** Newest activation first. */
  readonly issuing: readonly { readonly issuer: Issuer; readonly activeFrom: Date }[];
  readonly root: RootAuthority | undefined;
  readonly published: readonly PublishedAuthority[];
}

type Keys = Pick<AuthorityKeys, 'open'>;

/**
 * Opens the authorities of a revision.
 * @throws Error when a key cannot be opened or does not match its certificate
 */
export async function openAuthorities(
  records: readonly AuthorityRecord[],
  { keys, now }: { keys: Keys; now: Date },
): Promise<OpenAuthorities> {
  // An expired authority signs nothing; only its certificate stays published.
  const valid = records.filter(
    ({ kind, name, certificate }) =>
      kind === 'issuing' && parseAuthorityCertificate(name, certificate).notAfter.date > now,
  );
  const notBeside = listRootKeys(records);
  const issuing = await Promise.all(
    valid.map(async (record) => ({
      issuer: await openIssuer(record, { records, keys, notBeside }),
      activeFrom: new Date(record.activeFrom ?? 0),
    })),
  );
  return {
    issuing: issuing.sort((a, b) => b.activeFrom.getTime() - a.activeFrom.getTime()),
    root: openRoot(records, keys),
    published: records.map(({ name, kind, certificate, crl }) => ({
      name,
      kind,
      certificate: Buffer.from(certificate, 'base64'),
      crl: crl === undefined ? undefined : parsePublishedCrl(name, Buffer.from(crl, 'base64')),
    })),
  };
}

/** Returns the public keys of roots: no token that a service opens may hold one of them. */
export function listRootKeys(records: readonly AuthorityRecord[]): KeyObject[] {
  return records
    .filter(({ kind }) => kind === 'root')
    .map(({ name, certificate }) => toPublicKey(parseAuthorityCertificate(name, certificate)));
}

function parsePublishedCrl(name: string, der: Uint8Array): PublishedCrl {
  const parsed = parseCrl(der);
  if (!parsed.ok) throw new Error(`the CRL of ${name} cannot be read: ${parsed.error.reason}`);
  const { thisUpdate, nextUpdate = thisUpdate } = parsed.value;
  return { der, thisUpdate, nextUpdate };
}

async function openIssuer(
  record: AuthorityRecord,
  { records, keys, notBeside }: { records: readonly AuthorityRecord[]; keys: Keys; notBeside: KeyObject[] },
): Promise<Issuer> {
  const { name } = record;
  const certificate = parseAuthorityCertificate(name, record.certificate);
  const publicKey = toPublicKey(certificate);
  if (record.responder === null) {
    throw new Error(`${name} has no OCSP responder: run "npm run provision" first`);
  }
  return {
    name,
    certificate,
    chain: buildChain(record, records),
    identity: toIssuerIdentity(certificate),
    publicKey,
    sign: await openKey(name, () => keys.open(record.key, publicKey, { notBeside })),
    responder: await openResponder(name, record.responder, keys),
  };
}

async function openResponder(
  authorityName: string,
  { certificate: encoded, key }: NonNullable<AuthorityRecord['responder']>,
  keys: Keys,
): Promise<Responder> {
  const name = `${authorityName}'s responder`;
  const certificate = parseAuthorityCertificate(name, encoded);
  const publicKey = toPublicKey(certificate);
  return {
    certificate,
    keyId: responderKeyId(certificate),
    signatureAlgorithm: selectSignatureAlgorithm(publicKey),
    sign: await openKey(name, () => keys.open(key, publicKey)),
  };
}

async function openKey<T>(name: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the key of ${name} cannot be used: ${reason}`, { cause });
  }
}

/** Opens the root, whose key is opened for each signature only: it signs a CRL twice in the CRL's lifetime. */
function openRoot(records: readonly AuthorityRecord[], keys: Keys): RootAuthority | undefined {
  const record = records.find(({ kind }) => kind === 'root');
  if (record === undefined || record.key.kind === 'elsewhere') return undefined;
  const certificate = parseAuthorityCertificate(record.name, record.certificate);
  const publicKey = toPublicKey(certificate);
  return {
    name: record.name,
    identity: toIssuerIdentity(certificate),
    publicKey,
    sign: async (tbs) => {
      const sign = await openKey(record.name, () => keys.open(record.key, publicKey));
      return sign(tbs);
    },
  };
}

function buildChain(record: AuthorityRecord, records: readonly AuthorityRecord[]): Uint8Array[] {
  const chain: Uint8Array[] = [];
  for (let at: AuthorityRecord | undefined = record; at !== undefined; ) {
    chain.push(Buffer.from(at.certificate, 'base64'));
    // Bounded by the number of records, in case a damaged file has a cycle.
    if (chain.length > records.length) throw new Error('the authorities sign each other in a circle');
    const { parent }: AuthorityRecord = at;
    at = records.find(({ name }) => name === parent);
  }
  return chain;
}
