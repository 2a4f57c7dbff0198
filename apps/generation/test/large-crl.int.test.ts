import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase, type Statement } from '@rubrica/database/connection';
import { parseCrl, type ToBeSigned } from '@rubrica/pki';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { systemClock } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { createStatusProof } from '../src/certificate/status-proof.ts';
import { readConfig } from '../src/config.ts';
import { createCrlLedger } from '../src/crl/crl-ledger.ts';
import { type CrlAuthority, createSignNextCrl } from '../src/crl/sign-crl.ts';
import type { Issuer } from '../src/issuers/issuer.ts';
import { openIssuers } from '../src/issuers/open-issuers.ts';
import { entities, schema } from '../src/store/schema.ts';
import { generation } from './support/generation.ts';
import { revokedCertificates } from './support/revoked-certificates.ts';
import { openEntries, openRows, writeMacs } from './support/status-macs.ts';

const revoked = 60_000;
const pieceOctets = 2 * 1024 * 1024;
const handedOctets = 64 * 1024;

const env = await disposeAfterAll(generation());
const config = readConfig(env.env);
const issuers = await openIssuers(config, await loadKeyring(config.keys, 'generation'), systemClock);
const [active] = issuers.all as [Issuer];
const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
const entries = await openEntries(env);
const database = await disposeAfterAll(
  createDatabase({ url: config.database.url, schema, entities, entries, logger }),
);
const rows = revokedCertificates({ issuer: active.name, shard: 0, count: revoked });
for (const statement of rows) await env.database.query(statement);
await writeMacs(env);
const guard = await openRows(env);

/** The database, with what its statements carried. */
function watched() {
  const most = { rows: 0, octets: 0, text: 0 };
  const statement = async <Row>(asked: Statement): Promise<Row[]> => {
    const rows = await database.statement<Row>(asked);
    const octets = asked.params.map((value) => (value instanceof Uint8Array ? value.length : 0));
    most.rows = Math.max(most.rows, rows.length);
    most.octets = Math.max(most.octets, ...octets);
    const texts = rows
      .flatMap((row) => Object.values(row as object))
      .filter((value) => typeof value === 'string');
    most.text = Math.max(most.text, ...texts.map(({ length }) => length));
    return rows;
  };
  const proof = createStatusProof({
    database: { statement, entries: database.entries },
    rows: guard,
    issuers,
  });
  return { most, proof, ledger: createCrlLedger({ statement, entries: database.entries }, guard) };
}

const authorities = (): CrlAuthority[] => [
  { ...active, lifetimeMs: HOUR_MS, distributionPoint: () => undefined, delta: undefined },
];

it(`a list of ${revoked.toLocaleString('en')} is made, kept and handed out in pieces, and no statement carries more`, async () => {
  const { most, ledger, proof } = watched();
  await ledger.ensure([active.name], [0]);
  const signed: ToBeSigned[] = [];
  const watchedKey = (): CrlAuthority[] =>
    authorities().map((authority) => ({
      ...authority,
      sign: (tbs) => {
        signed.push(tbs);
        return authority.sign(tbs);
      },
    }));
  const leased = await createSignNextCrl({
    ledger,
    proof,
    authorities: watchedKey,
    shards: 1,
    leaseSeconds: 60,
  })();
  expect(leased).toMatchObject({ issuer: active.name, shard: 0, base: undefined });
  // Never in one piece, which would be a second copy of it.
  const [parts] = signed;
  if (parts === undefined || parts instanceof Uint8Array) throw new Error('signed in one piece');
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(handedOctets);
  expect(most).toMatchObject({ rows: 1, octets: handedOctets });
  // A page of entries: serial number, time and reason of each.
  expect(most.text).toBeLessThan(1_000 * 80);

  const place = { issuer: active.name, shard: 0, isDelta: false };
  const pieces: Uint8Array[] = [];
  const numbers = new Set<number>();
  let from = 0;
  for (let octets = 1; from < octets; ) {
    const served = await ledger.served(place, from);
    if (served === undefined) throw new Error('the list is not served');
    octets = served.octets;
    expect(served.piece.length).toBeLessThanOrEqual(handedOctets);
    pieces.push(served.piece);
    numbers.add(served.number);
    from += served.piece.length;
  }
  // More than what is kept in one row, so that the seam between two rows is among them.
  expect(from).toBeGreaterThan(pieceOctets);
  expect([pieces.length, numbers.size]).toEqual([Math.ceil(from / handedOctets), 1]);
  // Behind the end there is nothing, and a piece may begin anywhere; none goes over the end of a row.
  expect((await ledger.served(place, from))?.piece).toHaveLength(0);
  const whole = Buffer.concat(pieces);
  for (const [at, end] of [
    [1_000_000, 1_000_000 + handedOctets],
    [pieceOctets - 1_000, pieceOctets],
  ] as const) {
    const rest = await ledger.served(place, at);
    expect(Buffer.from(rest?.piece ?? []).equals(whole.subarray(at, end))).toBe(true);
  }

  const list = parseCrl(whole);
  if (!list.ok) throw new Error(list.error.reason);
  const serials = new Set([...list.value.entries()].map(({ serial }) => serial));
  expect([list.value.entryCount, serials.size]).toEqual([revoked, revoked]);
});

it('the one before it goes, and what a copy left behind that died', async () => {
  const { ledger, proof } = watched();
  const due = () =>
    env.database.query(`update generation.crl set renew_at = now() where issuer = $1`, [active.name]);
  await due();
  const dead = await ledger.lease({
    rules: [{ issuer: active.name, renewMs: 0, restMs: 0 }],
    shards: 1,
    leaseSeconds: 0.001,
  });
  if (dead === undefined) throw new Error('nothing was due');
  await ledger.putPart(dead, 0, Buffer.alloc(10));
  await expect
    .poll(() => createSignNextCrl({ ledger, proof, authorities, shards: 1, leaseSeconds: 60 })())
    .toBeDefined();
  const kept = await env.database.query<{ number: string }>(
    `select distinct number from generation.crl_piece where issuer = $1`,
    [active.name],
  );
  expect(kept).toEqual([{ number: String(dead.number + 1) }]);
});
