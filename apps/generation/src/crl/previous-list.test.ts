import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { CrlEntry } from '@rubrica/pki';
import { crlTbs, type IssuerIdentity, keySigner, signCrl } from '@rubrica/pki';
import { describe, expect, it } from 'vitest';
import { createListReader, readThisUpdate } from './list-reader.ts';
import { readPreviousList } from './read-previous-list.ts';

const reasons = ['unspecified', 'keyCompromise', 'certificateHold', 'privilegeWithdrawn'] as const;
const entries: CrlEntry[] = Array.from({ length: 3_000 }, (_, index) => ({
  // Of this release, and of earlier ones.
  serial: `4A${randomBytes(index % 3 === 0 ? 19 : 14)
    .toString('hex')
    .toUpperCase()}`,
  revokedAt: new Date(Date.UTC(index % 2 === 0 ? 2026 : 2051, 5, 1, 10, 20, index % 60)),
  reason: reasons[index % reasons.length] ?? 'unspecified',
}));
const thisUpdate = new Date('2026-11-28T10:00:00Z');

const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const stated = { number: 7, thisUpdate };
type Overrides = Partial<Parameters<typeof crlTbs>[0]>;

async function signed(listed: readonly CrlEntry[], overrides: Overrides = {}, key = authority.privateKey) {
  const issuer: IssuerIdentity = {
    name: Buffer.from('300d310b3009060355040613024543', 'hex'),
    keyId: Buffer.alloc(20, 1),
    signatureAlgorithm: 'ecdsa-with-SHA256',
  };
  const nextUpdate = new Date('2026-11-29T10:00:00Z');
  const tbs = crlTbs({ issuer, number: 7n, thisUpdate, nextUpdate, entries: listed, ...overrides });
  return Buffer.from(await signCrl(tbs, issuer.signatureAlgorithm, keySigner(key)));
}

async function* inPieces(der: Buffer, octets: number) {
  for (let at = 0; at < der.length; at += octets) yield der.subarray(at, at + octets);
}
const rules = { publicKey: authority.publicKey, distributionPoint: undefined };
const read = async (der: Buffer, octets = 70_000) =>
  readPreviousList(inPieces(der, octets), { ...rules, stated: { ...stated, octets: der.length } });

describe('the list before', () => {
  it.each([997, 70_000])('is read as it was written, in pieces of %d octets', async (octets) => {
    const list = await read(await signed(entries), octets);
    expect(list?.count).toBe(entries.length);
    expect(entries.filter((entry) => list?.keep(entry))).toHaveLength(entries.length);
    expect([...(list?.missing(100) ?? [])]).toEqual([]);
  });

  it('names what was not kept, and keeps nothing that has changed', async () => {
    const list = await read(await signed(entries));
    const [gone, other, ...kept] = entries as [CrlEntry, CrlEntry, ...CrlEntry[]];
    for (const entry of kept) list?.keep(entry);
    expect(list?.keep({ ...other, reason: 'superseded' })).toBe(false);
    expect(list?.keep({ ...other, revokedAt: new Date(0) })).toBe(false);
    expect(list?.keep({ ...other, serial: gone.serial })).toBe(false);
    expect([...(list?.missing(100) ?? [])]).toEqual([[gone.serial, other.serial]]);
    expect([list?.hasKept(gone.serial), list?.hasKept(kept[0]?.serial ?? '')]).toEqual([false, true]);
  });

  it('is none where an octet is another one, or one is missing', async () => {
    const der = await signed(entries);
    const changed = Buffer.from(der);
    changed[der.length - 200] = (changed[der.length - 200] ?? 0) ^ 1;
    for (const stored of [changed, der.subarray(0, -1), der.subarray(1), Buffer.alloc(0), randomBytes(500)]) {
      expect(await read(stored)).toBeUndefined();
    }
  });

  it.each<[string, Overrides]>([
    ['an older list', { number: 6n }],
    ['a list of another time', { thisUpdate: new Date('2026-11-28T09:00:00Z') }],
    ['a delta', { baseNumber: 3n }],
    ['a list of a shard', { distributionPoint: 'http://pki.example.test/issuing-s1.crl' }],
  ])('is none where %s that the authority signed is in its place', async (_, overrides) => {
    expect(await read(await signed(entries, overrides))).toBeUndefined();
  });

  it('is none where another key signed it', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(await read(await signed(entries, {}, privateKey))).toBeUndefined();
  });

  it('is one of its shard, and one that names a delta', async () => {
    const distributionPoint = 'http://pki.example.test/issuing-s1.crl';
    const der = await signed(entries, { distributionPoint });
    const shard = { ...rules, distributionPoint, stated: { ...stated, octets: der.length } };
    expect((await readPreviousList(inPieces(der, 70_000), shard))?.count).toBe(entries.length);
    const base = await signed(entries, { freshestUri: 'http://pki.example.test/issuing-delta.crl' });
    expect((await read(base))?.count).toBe(entries.length);
  });

  it('says in its first octets when it was issued, with and without entries', async () => {
    for (const listed of [[], entries]) {
      const der = await signed(listed);
      expect(readThisUpdate(der.subarray(0, 64 * 1024))).toEqual(thisUpdate);
      expect([...createListReader().read(der)]).toHaveLength(listed.length);
    }
    expect(() => readThisUpdate(Buffer.alloc(100))).toThrow(RangeError);
  });
});
