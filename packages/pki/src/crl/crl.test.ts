import { createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type CrlInput,
  makeCrl,
  makeIssuing,
  makeRoot,
  makeSerial,
  type TestAuthority,
} from '../../test/fixtures.ts';
import { mutated } from '../../test/mutate.ts';
import { keySigner, verifySigned } from '../certificate/key-signer.ts';
import { formatSerial } from '../certificate/serial.ts';
import { sequence } from '../der/write.ts';
import { crlTbs, crlTbsParts, signCrlParts } from './build.ts';
import { type CrlEntry, encodeCrlEntries, encodeCrlEntry } from './entry.ts';
import { type ParsedCrl, parseCrl } from './parse.ts';
import { type RevocationReason, revocationReasons } from './revocation-reasons.ts';

let issuing: TestAuthority;

beforeAll(async () => {
  issuing = await makeIssuing(await makeRoot());
});

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const makeEntry = (overrides: Partial<CrlEntry> = {}): CrlEntry => ({
  serial: formatSerial(makeSerial()),
  revokedAt: new Date('2026-06-01T10:20:30Z'),
  reason: 'superseded',
  ...overrides,
});

async function parsedCrl(overrides: Partial<CrlInput> = {}): Promise<ParsedCrl> {
  const result = parseCrl(await makeCrl(issuing, overrides));
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
}

const listOf = (entries: CrlInput['entries']): CrlInput => ({
  issuer: issuing.identity,
  number: 1n,
  thisUpdate: new Date('2027-01-01T00:00:00Z'),
  nextUpdate: new Date('2027-01-02T00:00:00Z'),
  entries,
});
const tbs = (entries: CrlInput['entries']) => crlTbs(listOf(entries));

describe('a long list', () => {
  const page = Array.from({ length: 1_000 }, () => makeEntry());
  const entries = Array.from({ length: 22 }, () => encodeCrlEntries(page));

  it('is made of its pages as they are, not of copies', () => {
    const parts = crlTbsParts(listOf(entries));
    expect(entries.filter((one) => parts.includes(one))).toHaveLength(entries.length);
    expect(Buffer.concat(parts).equals(tbs(entries))).toBe(true);
  });

  it.each(['rsa', 'ec'] as const)('is signed part by part as in one piece, by a key of %s', async (kind) => {
    const { key, identity } = await makeIssuing(await makeRoot(), kind);
    const sign = keySigner(key.privateKey);
    const publicKey = createPublicKey(key.privateKey);
    const parts = crlTbsParts({ ...listOf(entries), issuer: identity });
    const whole = Buffer.concat(parts);
    const signature = await sign(parts);
    // Over a megabyte, so that it takes more than one turn.
    expect(whole.length).toBeGreaterThan(2 ** 20);
    expect(await verifySigned(whole, publicKey, signature)).toBe(true);
    expect(await verifySigned(parts, publicKey, signature)).toBe(true);
    expect(await verifySigned(parts.toSpliced(3, 1), publicKey, signature)).toBe(false);
    const list = parseCrl(Buffer.concat(await signCrlParts(parts, identity.signatureAlgorithm, sign)));
    expect(list.ok && list.value.entryCount).toBe(22 * page.length);
  });
});

describe('a revocation list', () => {
  it('gives back what it was built from', async () => {
    const reasons = Object.keys(revocationReasons) as RevocationReason[];
    const entries = reasons.map((reason) => makeEntry({ reason }));
    const distributionPoint = 'http://pki.example.test/pki/issuing-3.crl';
    const view = await parsedCrl({ entries, distributionPoint, number: 2n ** 150n });
    expect([...view.entries()]).toEqual(entries);
    expect(view).toMatchObject({
      entryCount: entries.length,
      number: 2n ** 150n,
      distributionPoint,
      thisUpdate: new Date('2026-12-31T23:00:00Z'),
      nextUpdate: new Date('2027-01-01T23:00:00Z'),
    });
    expect(hex(view.issuer.raw)).toBe(hex(issuing.identity.name));
    expect(hex(view.authorityKeyId ?? new Uint8Array())).toBe(hex(issuing.identity.keyId));
  });

  it('finds an entry by its serial number and nothing by another', async () => {
    const entries = [makeEntry(), makeEntry({ serial: '00FF01' }), makeEntry()];
    const view = await parsedCrl({ entries });
    for (const entry of entries) expect(view.find(entry.serial)).toEqual(entry);
    expect(view.find('FF01')).toEqual(entries[1]);
    expect(view.find('FF')).toBeUndefined();
    expect(view.find('01')).toBeUndefined();
  });

  it('leaves out an empty list of entries, and a scope when it covers everything', async () => {
    const view = await parsedCrl({ entries: [] });
    expect(view).toMatchObject({ entryCount: 0, distributionPoint: undefined });
    expect([...view.entries()]).toEqual([]);
    expect(view.extensions.map(({ oid, critical }) => [oid, critical])).toEqual([
      ['2.5.29.35', false],
      ['2.5.29.20', false],
    ]);
    expect(hex(view.tbs)).not.toContain('3000');
  });

  it('marks its scope critical, so that nobody takes a shard for the whole', async () => {
    const view = await parsedCrl({ distributionPoint: 'http://pki.example.test/a.crl' });
    expect(view.extensions.at(-1)).toMatchObject({ oid: '2.5.29.28', critical: true });
  });

  it('is the same whether entries come as values, encoded or joined', () => {
    const entries = Array.from({ length: 3000 }, (_, index) =>
      makeEntry({ reason: index % 2 === 0 ? 'unspecified' : 'keyCompromise' }),
    );
    const encoded = entries.map(encodeCrlEntry);
    const wanted = hex(tbs(entries));
    expect(hex(tbs(encoded))).toBe(wanted);
    expect(hex(tbs([Buffer.concat(encoded)]))).toBe(wanted);
    expect(hex(tbs([encodeCrlEntries(entries)]))).toBe(wanted);
    const mixed = [...entries.slice(0, 10), Buffer.concat(encoded.slice(10, 2900)), ...encoded.slice(2900)];
    expect(hex(tbs(mixed))).toBe(wanted);
  });

  it('holds a hundred thousand entries in their octets and a head', () => {
    function* many() {
      for (let i = 0; i < 100_000; i++)
        yield makeEntry({ serial: (0x40_000_000 + i).toString(16).padStart(30, '5') });
    }
    const head = tbs([]).length;
    const { length } = encodeCrlEntry(makeEntry());
    expect(length).toBe(48);
    // The head of the list of entries, and two octets more for the length of the whole.
    expect(tbs(many()).length).toBe(head + 100_000 * length + 5 + 2);
  });
});

describe('an entry', () => {
  it('says nothing of an unspecified reason', () => {
    const entry = makeEntry({ serial: '5A', reason: 'unspecified' });
    expect(hex(encodeCrlEntry(entry))).toBe(`301202015a170d${hex(Buffer.from('260601102030Z'))}`);
    expect(hex(encodeCrlEntry({ ...entry, reason: 'certificateHold' }))).toMatch(
      /300c300a0603551d1504030a0106$/,
    );
  });

  it('is written in GeneralizedTime from 2050', () => {
    const late = encodeCrlEntry(makeEntry({ serial: '5A', revokedAt: new Date('2050-01-01T00:00:00Z') }));
    expect(hex(late)).toContain(hex(Buffer.from('20500101000000Z')));
  });

  it.each(['', 'XY', '5A5', '5A XY', '5A'.repeat(22)])('is not made for the serial number "%s"', (serial) => {
    expect(() => encodeCrlEntry(makeEntry({ serial }))).toThrow(RangeError);
  });

  it('is not taken from a damaged row', () => {
    const row = encodeCrlEntry(makeEntry());
    for (const bad of [
      row.subarray(1),
      row.subarray(0, -1),
      Buffer.concat([row, row.subarray(0, 20)]),
      Buffer.alloc(0),
    ]) {
      expect(() => tbs([bad])).toThrow(RangeError);
    }
  });
});

describe('the reader of revocation lists', () => {
  /** Everything a caller may do with a list that was read. */
  const use = (bytes: Uint8Array) => {
    const result = parseCrl(bytes);
    if (!result.ok) return result.error.code;
    const entries = [...result.value.entries()];
    expect(entries.length).toBe(result.value.entryCount);
    for (const { serial } of entries) expect(result.value.find(serial)).toBeDefined();
    return 'read';
  };

  it('answers 5,000 damaged lists with a value, never with an exception', async () => {
    const entries = Array.from({ length: 6 }, () => makeEntry());
    const good = await makeCrl(issuing, { entries, distributionPoint: 'http://pki.example.test/a.crl' });
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: mutated(good) }, fc.uint8Array({ maxLength: 400 })),
        (bytes) => {
          seen.add(use(bytes));
        },
      ),
      { numRuns: 5000 },
    );
    // Damage inside a name or a signature leaves a list that can be read: both ways were gone.
    expect([...seen].toSorted()).toEqual(['MALFORMED', 'read']);
  });

  it('refuses an entry whose critical extension it does not know', async () => {
    // id-ce-certificateIssuer, with which an indirect list speaks of another authority's certificate.
    const certificateIssuer = Buffer.from('300c0603551d1d0101ff04023000', 'hex');
    const reasonless = encodeCrlEntry(makeEntry({ reason: 'unspecified' }));
    const entry = sequence(reasonless.subarray(2), sequence(certificateIssuer));
    expect(parseCrl(await makeCrl(issuing, { entries: [entry] }))).toMatchObject({
      ok: false,
      error: { reason: 'critical entry extension 2.5.29.29 is not used here' },
    });
  });

  it('refuses a member that reaches past the part it stands in', async () => {
    const list = Buffer.from(await makeCrl(issuing));
    // The head of the extensions, last in the signed part: two octets longer, they take in what follows it.
    const extensions = list.lastIndexOf(
      Buffer.from('a0', 'hex'),
      list.indexOf(Buffer.from('0603551d23', 'hex')),
    );
    list[extensions + 1] = (list[extensions + 1] ?? 0) + 2;
    expect(parseCrl(list)).toMatchObject({
      ok: false,
      error: { reason: 'a member reaches past its parent' },
    });
  });

  it('refuses an entry that reaches past the list of entries', async () => {
    const entry = makeEntry({ serial: '5A', reason: 'unspecified' });
    const list = Buffer.from(await makeCrl(issuing, { entries: [entry] }));
    const at = list.indexOf(encodeCrlEntry(entry));
    list[at + 1] = (list[at + 1] ?? 0) + 2;
    expect(parseCrl(list)).toMatchObject({ ok: false, error: { reason: 'an entry reaches past the list' } });
  });

  it('refuses more than any list has before it looks inside', () => {
    expect(parseCrl(new Uint8Array(128 * 1024 * 1024 + 1))).toMatchObject({
      ok: false,
      error: { reason: 'too large for a revocation list' },
    });
  });

  it('refuses lengths beyond the file without reserving anything for them', () => {
    expect(parseCrl(Buffer.from('3084fffffff03000', 'hex'))).toMatchObject({ ok: false });
  });
});
