import { hash } from 'node:crypto';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { parseCrl } from '@rubrica/pki';
import { createLogger } from '@rubrica/process/log';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it, vi } from 'vitest';
import { createSignedLists } from '../src/crl/signed-lists.ts';
import { entities, schema } from '../src/store/schema.ts';
import {
  admin as adminOf,
  issued as issuedIn,
  published,
  type TestCertificate,
} from './support/issued-certificates.ts';
import { openScene } from './support/scene.ts';
import { openEntries, openRows, writeMacs } from './support/status-macs.ts';

/** With the service's role in the database and its key file, and without the key of the authority. */
const scene = await disposeAfterAll(openScene());
const { env } = scene.env;
const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
const entries = await openEntries(scene.env);
const rows = await openRows(scene.env);
const database = await disposeAfterAll(
  createDatabase({ url: env.DATABASE_URL ?? '', schema, entities, logger, entries }),
);
await vi.waitFor(() => published(scene, 'issuing.crl'), { timeout: 60_000 });

const asRole = (sql: string, params: unknown[] = []): Promise<Record<string, unknown>[]> =>
  database.orm.em.fork().getConnection().execute(sql, params);
const issued = () => issuedIn(scene);
const asOwner = (sql: string) => scene.env.database.query(sql);
const seen = (look: () => Promise<unknown>) => expect.poll(look, { interval: 50, timeout: 30_000 });

async function list() {
  const parsed = parseCrl(await published(scene, 'issuing.crl'));
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}
const reasonIn = async ({ serialNumber }: TestCertificate) => (await list()).find(serialNumber)?.reason;
/** Number of the list that is stored, served or not. */
const lastNumber = async () =>
  Number((await asRole(`select number from crl where issuer = 'issuing' and shard = 0`))[0]?.number);
async function signAnew() {
  const before = await lastNumber();
  await asRole(`update crl set renew_at = now() where issuer = 'issuing'`);
  await seen(lastNumber).toBeGreaterThan(before);
}

/** A certificate that is revoked and in the list, with the list before that. */
async function revoked() {
  const certificate = await issued();
  await signAnew();
  const before = await published(scene, 'issuing.crl');
  await adminOf(scene).revoke.mutate({ id: certificate.id, revocationReason: 'keyCompromise' });
  await seen(() => reasonIn(certificate)).toBe('keyCompromise');
  return { certificate, before };
}

/** The change was made two hours ago. */
const agedBy2Hours = ({ serialNumber }: TestCertificate) =>
  asOwner(
    `alter table generation.audit_entry disable trigger audit_entry_place;
     update generation.audit_entry set at = at - interval '2 hours'
     where serial = '${serialNumber}' and action = 'certificate.revoked';
     alter table generation.audit_entry enable always trigger audit_entry_place`,
  );

/** Makes another row of a certificate, with a right MAC. */
async function rewriteRow({ id }: TestCertificate, set: string) {
  await asRole(`update certificate set ${set}, status_version = status_version + 1000 where id = ?`, [id]);
  await writeMacs(scene.env, `c.id = '${id}'`);
}

/** Adds an entry of a list, whose MACs are right. */
async function forgeEntry(number: number, der: Buffer, times: { thisUpdate: Date; leasedAt: Date }) {
  const nextUpdate = new Date(times.thisUpdate.getTime() + HOUR_MS);
  const signed = { number, octets: der.length, ...times, nextUpdate, sha256: hash('sha256', der, 'hex') };
  const detail = createSignedLists(database, rows).toDetail(
    { issuer: 'issuing', shard: 0, isDelta: false },
    { ...signed, isBase: false, changes: 0 },
  );
  const { entryId, entryMac } = entries.protect({
    ...{ action: 'crl.signed', actor: 'service:generation', detail },
  });
  await asRole(
    `insert into audit_entry (action, actor, detail, entry_id, mac)
     values ('crl.signed', 'service:generation', ?::jsonb, ?, ?)`,
    [detail, entryId, entryMac],
  );
  return nextUpdate;
}

/** Puts octets in the place of the newest list, with its entry. */
async function forge(der: Buffer, times: { thisUpdate: Date; leasedAt: Date }) {
  const number = (await lastNumber()) + 1;
  const nextUpdate = await forgeEntry(number, der, times);
  await asRole(`insert into crl_piece (issuer, shard, number, at, der) values ('issuing', 0, ?, 0, ?)`, [
    ...[number, der],
  ]);
  // By the owner: a trigger keeps the times of the row near the present.
  await scene.env.database.query(
    `update generation.crl set number = $1, last_number = $1, octets = $2, this_update = $3, next_update = $4, renew_at = now()
     where issuer = 'issuing' and shard = 0`,
    [number, der.length, times.thisUpdate, nextUpdate],
  );
  await seen(lastNumber).toBeGreaterThan(number);
}

function issuedAt(der: Buffer): Date {
  const parsed = parseCrl(der);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value.thisUpdate;
}

const good = 'revoked_at = null, revocation_reason = null';

describe('a revocation stays in the signed list, whatever entry of a list the key file makes', () => {
  it('of a list before it, that says that it was leased in two hours', async () => {
    const { certificate, before } = await revoked();
    await rewriteRow(certificate, good);
    await forge(before, { thisUpdate: issuedAt(before), leasedAt: new Date(Date.now() + 2 * HOUR_MS) });
    expect(await reasonIn(certificate)).toBe('keyCompromise');
  });

  it('of a list before it, that says that it was leased now', async () => {
    const { certificate, before } = await revoked();
    await agedBy2Hours(certificate);
    await rewriteRow(certificate, good);
    await forge(before, { thisUpdate: issuedAt(before), leasedAt: new Date() });
    expect(await reasonIn(certificate)).toBe('keyCompromise');
  });

  it('of octets with the time of now, which the authority did not sign', async () => {
    const { certificate, before } = await revoked();
    await agedBy2Hours(certificate);
    await rewriteRow(certificate, good);
    const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const times = [issuedAt(before), now].map(
      (at) => `${at.toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`,
    );
    const [was = '', is = ''] = times;
    const changed = Buffer.from(before.toString('latin1').replace(was, is), 'latin1');
    expect(issuedAt(changed)).toEqual(now);
    await forge(changed, { thisUpdate: now, leasedAt: now });
    expect(await reasonIn(certificate)).toBe('keyCompromise');
  });

  it('of a list that is issued when all certificates have expired', async () => {
    const { certificate } = await revoked();
    const far = new Date('2099-01-01');
    const set = (to: string) =>
      `update ${to}crl set this_update = '2099-01-01' where issuer = 'issuing' and shard = 0`;
    await expect(asRole(set(''))).rejects.toThrow('near the present');
    await scene.env.database.query(set('generation.'));
    await forge(await published(scene, 'issuing.crl'), { thisUpdate: far, leasedAt: new Date() });
    expect(await reasonIn(certificate)).toBe('keyCompromise');
  });
});

describe('a revocation stays in the signed list, whatever row of its certificate the key file makes', () => {
  it.each([`not_after = '2020-01-01'`, `issuer = 'nobody'`])('of %s after it was listed', async (set) => {
    const { certificate } = await revoked();
    await rewriteRow(certificate, set);
    await signAnew();
    expect(await reasonIn(certificate)).toBe('keyCompromise');
    await signAnew();
    expect(await reasonIn(certificate)).toBe('keyCompromise');
  });

  it('of an end in the past, before it is listed', async () => {
    const certificate = await issued();
    await asRole(`update crl set lease_until = now() + interval '1 hour' where issuer = 'issuing'`);
    await adminOf(scene).revoke.mutate({ id: certificate.id, revocationReason: 'keyCompromise' });
    await rewriteRow(certificate, `not_after = '2020-01-01'`);
    await asRole(`update crl set lease_until = null where issuer = 'issuing'`);
    await signAnew();
    expect(await reasonIn(certificate)).toBe('keyCompromise');
  });
});

describe.each([
  ['the greatest there is', 9_007_199_254_740_991],
  ['a thousand years ahead', Math.floor(Date.now() / 1_000) + 1_000 * 365 * 86_400],
  ['as great as one may be', Math.floor(Date.now() / 1_000) - 1_000],
])('an entry of a list whose number is %s', (_, number) => {
  it('keeps no certificate from being revoked', async () => {
    const certificate = await issued();
    const der = await published(scene, 'issuing.crl');
    const now = new Date();
    await forgeEntry(number, der, { thisUpdate: issuedAt(der), leasedAt: now });
    await adminOf(scene).revoke.mutate({ id: certificate.id, revocationReason: 'keyCompromise' });
    await seen(() => reasonIn(certificate).catch(() => undefined)).toBe('keyCompromise');
  });
});
