import { randomBytes } from 'node:crypto';
import { createDatabase, isUniqueViolation } from '@rubrica/database/connection';
import { FenceLost } from '@rubrica/database/lease';
import { parseCertificate } from '@rubrica/pki';
import { loadKeyring } from '@rubrica/process/keyring';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { clearSpentIntents } from '../src/issuance/clear-spent-intents.ts';
import { createIssuanceLedger, type IssuedCertificate } from '../src/issuance/issuance-ledger.ts';
import { type LeasedIssuance, leaseIssuance } from '../src/issuance/lease-issuance.ts';
import { planCertificate } from '../src/issuance/plan-certificate.ts';
import { drawSerial } from '../src/issuance/rehearse.ts';
import { readAuthorityFile } from '../src/issuers/authorities/authority-file.ts';
import { entities, schema } from '../src/store/schema.ts';
import { generation } from './support/generation.ts';
import { makeOrder, partnerId } from './support/orders.ts';
import { openEntries, openRows } from './support/status-macs.ts';

const orderSha256 = '0'.repeat(64);
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const env = await disposeAfterAll(generation());
const entries = await openEntries(env);
const database = await disposeAfterAll(
  createDatabase({ url: env.env.DATABASE_URL ?? '', schema, entities, logger: quiet, entries }),
);
const ledger = createIssuanceLedger(database, await openRows(env));
const keyring = await loadKeyring(
  { keysFile: env.ground.keys.keysFile.generation, peersFile: env.ground.keys.peersFile },
  'generation',
);
const sealBundle: (requestId: string) => Promise<string> = (owner) =>
  keyring.sealTo('generation', '{}', { purpose: 'bundle', owner });

/** Leases with a lease that has ended at once, as that of a worker which hangs. */
async function lease(job = { requestId: uuidv7(), attempt: 1 }): Promise<LeasedIssuance> {
  const outcome = await leaseIssuance(database, job, 0);
  if (outcome.kind !== 'leased') throw new Error(outcome.kind);
  return outcome.issuance;
}

async function makeIssued(leased: LeasedIssuance): Promise<IssuedCertificate> {
  const serial = drawSerial().text;
  await ledger.reserveSerial(leased, serial);
  await ledger.storeIntent(leased, serial, { tbs: randomBytes(20), orderSha256 });
  const [root] = (await readAuthorityFile(env.authorityDirectory))?.authorities ?? [];
  const certificate = parseCertificate(Buffer.from(root?.certificate ?? '', 'base64'));
  if (!certificate.ok) throw new Error(certificate.error.reason);
  const plan = planCertificate(makeOrder(leased), {
    now: new Date(),
    timeZone: 'America/Guayaquil',
    issuerNotAfter: new Date(Date.now() + 1e12),
    rucPrefix: 'VATEC',
    subjectEmail: true,
    privateFields: [],
  });
  return {
    id: uuidv7(),
    partnerId,
    serial,
    issuer: 'issuing',
    crlShard: 0,
    keyAlgorithm: 'RSA_2048',
    plan,
    certificate: certificate.value,
    sealedBundle: await sealBundle(leased.requestId),
    bundleRetentionDays: 30,
    keepDays: null,
    deliverDays: null,
    issuedAt: new Date(),
  };
}

describe('the fence', () => {
  it('is raised by every lease and keeps the worker before from every write', async () => {
    const slow = await lease();
    const issued = await makeIssued(slow);
    const fast = await lease(slow);
    expect(fast.fence).toBe(slow.fence + 1);
    await expect(ledger.reserveSerial(slow, drawSerial().text)).rejects.toBeInstanceOf(FenceLost);
    await expect(
      ledger.storeIntent(slow, issued.serial, { tbs: randomBytes(20), orderSha256 }),
    ).rejects.toBeInstanceOf(FenceLost);
    await expect(ledger.recordIssued(slow, issued)).rejects.toBeInstanceOf(FenceLost);
    const failure = { code: 'KEY_GENERATION_FAILED', reason: undefined } as const;
    await expect(ledger.recordFailed(slow, failure)).rejects.toBeInstanceOf(FenceLost);
    await expect(ledger.postpone(slow, { isCounted: true })).rejects.toBeInstanceOf(FenceLost);
    await ledger.recordIssued(fast, await makeIssued(fast));
    const states = await env.database.query<{ serial: string; state: string }>(
      `select serial, state, reserved_at as at from generation.serial_number where request_id = $1
       union all select serial, 'ISSUED', issued_at from generation.certificate where request_id = $1 order by at`,
      [slow.requestId],
    );
    expect(states.map(({ state }) => state)).toEqual(['ABANDONED', 'ISSUED']);
  });

  it('does not let an attempt be taken while its lease lasts', async () => {
    const job = { requestId: uuidv7(), attempt: 1 };
    expect(await leaseIssuance(database, job, 60)).toMatchObject({ kind: 'leased' });
    expect(await leaseIssuance(database, job, 60)).toEqual({ kind: 'busy' });
  });

  it('gives a failed attempt to nobody again', async () => {
    const leased = await lease();
    await ledger.recordFailed(leased, { code: 'CERTIFICATE_SIGNING_FAILED', reason: 'test' });
    expect(await leaseIssuance(database, leased, 60)).toEqual({ kind: 'finished', state: 'FAILED' });
    expect(await leaseIssuance(database, { ...leased, attempt: 2 }, 60)).toMatchObject({
      issuance: { earlierFailures: 1 },
    });
  });
});

describe('rows of issued serial numbers, from former releases', () => {
  const tbsOf = async (serial: string) =>
    (
      await env.database.query<{ tbs: Buffer | null }>(
        'select tbs from generation.serial_number where serial = $1',
        [serial],
      )
    )[0]?.tbs;
  const sweep = async () => {
    const { text } = clearSpentIntents;
    while ((await database.execute(text)).length > 0);
    await database.execute(text);
  };

  it('go where the certificate has their bytes or they have none, and stay where it has not', async () => {
    const leased = await lease();
    const issued = await makeIssued(leased);
    await ledger.recordIssued(leased, issued);
    const spentLease = await lease();
    const spent = await makeIssued(spentLease);
    await ledger.recordIssued(spentLease, spent);
    const other = await makeIssued(await lease());
    const keep = (of: LeasedIssuance, serial: string, tbs: Uint8Array | null) =>
      env.database.query(
        `insert into generation.serial_number (serial, request_id, attempt, fence, state, tbs)
         values ($1, $3, $4, $5, 'ISSUED', $2) on conflict (serial) do update set tbs = $2`,
        [serial, tbs, of.requestId, of.attempt, of.fence],
      );
    await keep(leased, issued.serial, Buffer.from('not what was signed'));
    await keep(spentLease, spent.serial, null);
    await sweep();
    expect(await tbsOf(issued.serial)).toEqual(Buffer.from('not what was signed'));
    expect(await tbsOf(spent.serial)).toBeUndefined();
    await keep(leased, issued.serial, issued.certificate.tbs);
    await env.database.query('update generation.spent_intents set due_at = now()');
    await sweep();
    expect(await tbsOf(issued.serial)).toBeUndefined();
    expect(await tbsOf(other.serial)).toHaveLength(20);
    expect(await env.database.query('select from generation.spent_intents')).toEqual([]);
  });
});

describe('the database', () => {
  it('refuses a second live certificate of a request, whatever the code does, and writes nothing of it', async () => {
    const first = await lease();
    const second = await lease({ requestId: first.requestId, attempt: 2 });
    const [one, two] = [await makeIssued(first), await makeIssued(second)];
    await ledger.recordIssued(first, one);
    const refused = await ledger.recordIssued(second, two).catch((error: unknown) => error);
    expect(isUniqueViolation(refused, 'certificate_one_live')).toBe(true);
    const events = await env.database.query('select 1 from generation.outbox where payload @> $1::jsonb', [
      JSON.stringify({ requestId: first.requestId }),
    ]);
    expect(events).toHaveLength(1);
  });

  it('never takes a serial number twice', async () => {
    const leased = await lease();
    const { text } = drawSerial();
    await ledger.reserveSerial(leased, text);
    const again = await ledger.reserveSerial(leased, text).catch((error: unknown) => error);
    expect(isUniqueViolation(again, 'serial_number_pkey')).toBe(true);
  });

  it('never takes the serial number of a certificate again, whose own row is gone', async () => {
    const first = await lease();
    const issued = await makeIssued(first);
    await ledger.recordIssued(first, issued);
    const other = await lease();
    await expect(ledger.reserveSerial(other, issued.serial)).rejects.toBeInstanceOf(FenceLost);
    const rows = await env.database.query('select from generation.serial_number where serial = $1', [
      issued.serial,
    ]);
    expect(rows).toEqual([]);
  });

  it('lets nobody change or remove an audit row', async () => {
    const leased = await lease();
    await ledger.recordObsolete(leased);
    for (const change of [
      `update audit_entry set action = 'x'`,
      'delete from audit_entry',
      'truncate audit_entry',
    ]) {
      await expect(database.execute(change)).rejects.toThrow(/never changed|permission denied/);
    }
  });
});
