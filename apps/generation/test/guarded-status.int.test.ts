import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { createRowGuard } from '@rubrica/database/guarded';
import { encodeCertId, issuerHashes, ocspRequest, parseCrl, parseOcspResponse } from '@rubrica/pki';
import { generateServiceKeys, type Keyring, loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { systemClock } from '@rubrica/process/time';
import { disposeAfterAll, scratchDirectory } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SealingDeps, sealBatch } from '../src/certificate/seal-certificates.ts';
import { createStatusProof } from '../src/certificate/status-proof.ts';
import { type GuardedStatusRow, guardedStatusSql, makeStatusMac } from '../src/certificate/status-record.ts';
import { createSignedLists } from '../src/crl/signed-lists.ts';
import { openIssuers } from '../src/issuers/open-issuers.ts';
import { makeAnswerMac } from '../src/ocsp/ocsp-ledger.ts';
import { entities, guardedTables, schema } from '../src/store/schema.ts';
import {
  admin as adminOf,
  issued as issuedIn,
  published,
  type TestCertificate,
} from './support/issued-certificates.ts';
import { openScene } from './support/scene.ts';
import { endMixedFleet, openEntries, openMixedFleet, openRows, writeMacs } from './support/status-macs.ts';

// Lists with one entry have a delta.
const scene = await disposeAfterAll(openScene({ CRL_DELTA_FROM_ENTRIES: '1' }));
const { env, ground, authorityDirectory } = scene.env;
const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
const entries = await openEntries(scene.env);
const database = await disposeAfterAll(
  createDatabase({ url: env.DATABASE_URL ?? '', schema, entities, logger, entries }),
);
const files = { keysFile: ground.keys.keysFile.generation, peersFile: ground.keys.peersFile };
const keyring = await loadKeyring(files, 'generation');
const issuers = await openIssuers(
  { authority: { directory: authorityDirectory, token: {} } },
  keyring,
  systemClock,
);
const rows = await openRows(scene.env);
const proof = createStatusProof({ database, rows, issuers });
const sealing: SealingDeps = { database, rows, keyring, proof, issuers };
await vi.waitFor(() => published(scene, 'issuing.crl'), { timeout: 60_000 });

const query = <Row>(sql: string, params: unknown[] = []) => scene.env.database.query<Row>(sql, params);
const issued = () => issuedIn(scene);
const admin = () => adminOf(scene);

async function ocsp({ serialNumber: serial }: TestCertificate): Promise<unknown> {
  const issuer = issuerHashes(issuers.active.certificate);
  const request = ocspRequest({ certIds: [encodeCertId({ issuer, hash: 'sha1', serial })] });
  const { pki } = scene.gateway.serviceClient({ kind: 'public' });
  const { response } = await pki.ocsp.query({ request: Buffer.from(request).toString('base64') });
  const opened = parseOcspResponse(Buffer.from(response, 'base64'));
  if (!opened.ok || opened.value.status !== 'successful') throw new Error('no answer');
  const status = opened.value.responses[0]?.status;
  return typeof status === 'object' ? status.reason : status;
}

async function list(file = 'issuing.crl') {
  const parsed = parseCrl(await published(scene, file));
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}
const seen = (look: () => Promise<unknown>) => expect.poll(look, { interval: 50 });
const reasonIn = async ({ serialNumber }: TestCertificate, file?: string) =>
  (await list(file)).find(serialNumber)?.reason;
async function signAnew() {
  const { number: before = 0n } = await list();
  await query(`update generation.crl set renew_at = now() where issuer = 'issuing'`);
  await seen(async () => ((await list()).number ?? 0n) > before).toBe(true);
}

const stored = async ({ id }: TestCertificate) =>
  (
    await query<{ mac: string | null; reason: string | null; held: boolean; version: number }>(
      `select mac, revocation_reason as reason, held_at is not null as held, status_version as version
       from generation.certificate where id = $1`,
      [id],
    )
  )[0];
/** Looks at all certificates once, as the service does from time to time. */
async function sealAll(deps: SealingDeps = sealing): Promise<number> {
  let total = 0;
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined; ) {
    const { next, sealed } = await sealBatch(deps, after);
    total += sealed;
    after = next;
  }
  return total;
}
const alarms = () => rows.failed().map(({ table, id }) => `${table} ${id}`);

/** What a copy of the previous release writes: no MAC in the row, and none in the audit entry. */
function changeAsPreviousRelease(
  { id }: TestCertificate,
  { set, action, detail = {} }: { set: string; action: string; detail?: object },
) {
  return query(
    `with changed as (
       update generation.certificate set ${set}, status_version = status_version + 1 where id = $1
       returning request_id, attempt, serial
     )
     insert into generation.audit_entry (action, actor, request_id, attempt, serial, detail)
     select $2, 'operator:admin@rubrica.test', request_id, attempt, serial, $3::jsonb from changed`,
    [id, action, JSON.stringify(detail)],
  );
}
const revokeAsPreviousRelease = (certificate: TestCertificate) =>
  changeAsPreviousRelease(certificate, {
    set: `revoked_at = date_trunc('second', now()), revocation_reason = 'superseded'`,
    action: 'certificate.revoked',
    detail: { reason: 'superseded' },
  });

describe('what the previous release writes beside this one', () => {
  beforeAll(() => openMixedFleet(scene.env));
  afterAll(() => endMixedFleet(scene.env));

  it('counts as its certificate and the audit log prove it, and gets a MAC without an alarm', async () => {
    const [good, revoked] = [await issued(), await issued()];
    await query('update generation.certificate set mac = null where id = $1', [good.id]);
    await revokeAsPreviousRelease(revoked);
    expect((await stored(revoked))?.mac).toBeNull();
    expect([await ocsp(good), await ocsp(revoked)]).toEqual(['good', 'superseded']);
    await signAnew();
    expect([await reasonIn(good), await reasonIn(revoked)]).toEqual([undefined, 'superseded']);
    await sealAll();
    for (const certificate of [good, revoked])
      expect((await stored(certificate))?.mac).toMatch(/^[\w-]+\.[\w-]{43}$/);
    expect(alarms()).toEqual([]);
    expect([await ocsp(good), await ocsp(revoked)]).toEqual(['good', 'superseded']);
    expect(await sealAll()).toBe(0);
  });

  it('that differs from the audit log gets the status of the log, and an alarm', async () => {
    const certificate = await issued();
    await revokeAsPreviousRelease(certificate);
    await query(
      `update generation.certificate set revoked_at = null, revocation_reason = null, status_version = 1
       where id = $1`,
      [certificate.id],
    );
    await sealAll();
    expect(alarms()).toContain(`certificate ${certificate.id}`);
    expect(await stored(certificate)).toMatchObject({ reason: 'superseded', version: 2 });
    expect(await ocsp(certificate)).toBe('superseded');
  });

  it('releases nothing: without a MAC in its audit entry a certificate stays on hold', async () => {
    const certificate = await issued();
    await admin().hold.mutate({ id: certificate.id });
    await changeAsPreviousRelease(certificate, { set: 'held_at = null', action: 'certificate.released' });
    expect(await ocsp(certificate)).toBe('certificateHold');
    await sealAll();
    expect(await stored(certificate)).toMatchObject({ held: true, version: 3 });
    expect(alarms().filter((alarm) => alarm.startsWith('audit_entry'))).toHaveLength(1);
  });

  it('of a version that no entry explains is an alarm, and has that of the log', async () => {
    const certificate = await issued();
    await query('update generation.certificate set status_version = 1000, mac = null where id = $1', [
      certificate.id,
    ]);
    await sealAll();
    expect(alarms()).toContain(`certificate ${certificate.id}`);
    expect(await stored(certificate)).toMatchObject({ version: 1, reason: null });
  });

  it('with another certificate in it gets no MAC', async () => {
    const [one, other] = [await issued(), await issued()];
    await query(
      `update generation.certificate set mac = null,
         der = (select der from generation.certificate where id = $2) where id = $1`,
      [one.id, other.id],
    );
    await sealAll();
    expect((await stored(one))?.mac).toBeNull();
    expect(await ocsp(one)).toBe('unknown');
    expect(alarms()).toContain(`certificate ${one.id}`);
  });
});

async function otherKeyring(): Promise<Keyring> {
  await using folder = await scratchDirectory('other-key');
  const { privateJwks, publicJwks } = generateServiceKeys('generation');
  const [keysFile, peersFile] = [join(folder.path, 'keys.json'), join(folder.path, 'peers.json')];
  await writeFile(keysFile, JSON.stringify(privateJwks));
  await writeFile(peersFile, JSON.stringify({ generation: publicJwks }));
  return loadKeyring({ keysFile, peersFile }, 'generation');
}

/** Guard and keys of a moment of a rotation: one key makes MACs, both are accepted. */
function rotation(present: Keyring, former: Keyring): SealingDeps {
  const keys = {
    mac: present.mac,
    isPresentMac: present.isPresentMac,
    isMac: (data: string, mac: string) => present.isMac(data, mac) || former.isMac(data, mac),
  };
  const guard = createRowGuard({ keys, tables: guardedTables, onFailed: () => undefined });
  const proof = createStatusProof({ database, rows: guard, issuers });
  return { database, rows: guard, keyring: keys, proof, issuers };
}

it('another key makes the MACs of all certificates anew', async () => {
  const certificate = await issued();
  const { mac } = (await stored(certificate)) ?? {};
  const other = await otherKeyring();
  expect(await sealAll(rotation(other, keyring))).toBeGreaterThan(0);
  const { mac: renewed = '' } = (await stored(certificate)) ?? {};
  expect(other.isPresentMac(renewed ?? '')).toBe(true);
  await sealAll(rotation(keyring, other));
  expect(await stored(certificate)).toMatchObject({ mac, version: 1 });
});

describe('who may write to the tables of generation alone', () => {
  it('hides no revocation by a row of a later version, even with a right MAC', async () => {
    const certificate = await issued();
    await admin().revoke.mutate({ id: certificate.id });
    const revoked = (await stored(certificate))?.reason;
    await query(
      `update generation.certificate set revoked_at = null, revocation_reason = null, status_version = 1000
       where id = $1`,
      [certificate.id],
    );
    await writeMacs(scene.env, `c.id = '${certificate.id}'`);
    await database.execute('delete from ocsp_answer where certificate_id = $1', [certificate.id]);
    expect(revoked).toEqual(expect.any(String));
    expect(await ocsp(certificate)).toBe(revoked);
    await signAnew();
    expect(await reasonIn(certificate)).toBe(revoked);
  });

  it('keeps no certificate from being revoked by a row with the number of the next change', async () => {
    const [first, certificate] = [await issued(), await issued()];
    await database.execute(
      `insert into status_change (certificate_id, issuer, number)
       select '${first.id}', 'issuing', changes + 1 from crl where issuer = 'issuing' and shard = 0`,
    );
    await admin().revoke.mutate({ id: certificate.id });
    expect(await ocsp(certificate)).toEqual(expect.any(String));
  });

  it.each([
    `fence = 2147483647`,
    `lease_until = 'infinity'`,
    `this_update = 'infinity'`,
    `renew_at = 'infinity', rest_until = 'infinity'`,
  ])('stops no list by a row that is out of bounds: %s', async (set) => {
    await expect(database.execute(`update crl set ${set} where issuer = 'issuing'`)).rejects.toThrow(
      /forward one by one|near the present/,
    );
  });

  it('keeps no change from the delta', async () => {
    const [first, certificate] = [await issued(), await issued()];
    await admin().revoke.mutate({ id: first.id });
    await signAnew();
    await admin().hold.mutate({ id: certificate.id });
    await seen(() => reasonIn(certificate, 'issuing-delta.crl')).toBe('certificateHold');
    const { number = 0n } = await list('issuing-delta.crl');
    await database.execute('delete from status_change');
    await database.execute(`update crl_base set changes = 1000`);
    await database.execute(
      `update crl set delta_renew_at = now(), changes = 0, delta_changes = 0 where issuer = 'issuing'`,
    );
    await seen(async () => ((await list('issuing-delta.crl')).number ?? 0n) > number).toBe(true);
    expect(await reasonIn(certificate, 'issuing-delta.crl')).toBe('certificateHold');
  });

  it('keeps no change from the delta by a base that was never a list, however old the change is', async () => {
    const certificate = await issued();
    await admin().revoke.mutate({ id: certificate.id });
    await signAnew();
    await query(
      `alter table generation.audit_entry disable trigger audit_entry_place;
       update generation.audit_entry set at = at - interval '40 days' where serial = '${certificate.serialNumber}';
       alter table generation.audit_entry enable always trigger audit_entry_place`,
    );
    await database.execute(
      `insert into crl_base (issuer, shard, number, changes, next_update) values ('issuing', 0, 0, 0, '2999-01-01')`,
    );
    await admin().revoke.mutate({ id: (await issued()).id });
    await seen(async () => (await list('issuing-delta.crl')).baseNumber).toBe(0n);
    expect(await reasonIn(certificate, 'issuing-delta.crl')).toEqual(expect.any(String));
    await database.execute('delete from crl_base where number = 0');
  });

  it('keeps no change from the delta by a base of its making, even with a right MAC', async () => {
    const [first, certificate] = [await issued(), await issued()];
    await admin().revoke.mutate({ id: first.id });
    await admin().hold.mutate({ id: certificate.id });
    await seen(() => reasonIn(certificate, 'issuing-delta.crl')).toBe('certificateHold');
    await signAnew();
    await query(
      `alter table generation.audit_entry disable trigger audit_entry_place;
       update generation.audit_entry set at = at - interval '2 hours' where serial = '${certificate.serialNumber}';
       alter table generation.audit_entry enable always trigger audit_entry_place`,
    );
    const complete = { issuer: 'issuing', shard: 0, isDelta: false };
    const { number: newest = 0n } = await list();
    const lists = createSignedLists(database, rows);
    let free = Number(newest) - 1;
    while ((await lists.numbered(complete, free)) !== undefined) free -= 1;
    expect(free).toBeGreaterThan(0);
    const now = new Date();
    const nextUpdate = new Date(now.getTime() + HOUR_MS);
    const detail = lists.toDetail(complete, {
      ...{ number: free, octets: 1, sha256: '00', isBase: true, changes: 1000 },
      ...{ thisUpdate: now, leasedAt: now, nextUpdate },
    });
    await query(
      `insert into generation.audit_entry (action, actor, detail)
       values ('crl.signed', 'service:generation', $1::jsonb)`,
      [detail],
    );
    await query(
      `delete from generation.crl_base where issuer = 'issuing';
       insert into generation.crl_base (issuer, shard, number, changes, next_update)
       values ('issuing', 0, ${free}, 1000, now() + interval '1 hour');
       update generation.crl set delta_renew_at = now(), changes = 0, delta_changes = 0 where issuer = 'issuing'`,
    );
    await seen(async () => (await list('issuing-delta.crl')).baseNumber).toBe(BigInt(free));
    expect(await reasonIn(certificate, 'issuing-delta.crl')).toBe('certificateHold');
  });

  it('has no number of a list given twice', async () => {
    const { number = 0n } = await list();
    await database.execute(
      `update crl set last_number = 1, number = 1, delta_number = 1, renew_at = now() where issuer = 'issuing'`,
    );
    await seen(async () => {
      const parsed = parseCrl(await published(scene, 'issuing.crl').catch(() => Buffer.alloc(0)));
      return parsed.ok && (parsed.value.number ?? 0n) > number;
    }).toBe(true);
  });
});

it('a list that would lose an entry which nothing explains is not signed', async () => {
  const certificate = await issued();
  await openMixedFleet(scene.env);
  await revokeAsPreviousRelease(certificate);
  await signAnew();
  expect(await reasonIn(certificate)).toBe('superseded');
  const { number } = await list();
  // As nobody can who has the service's role: the owner takes the guards away.
  await query(
    `alter table generation.audit_entry disable trigger audit_entry_no_delete;
     alter table generation.bundle disable trigger bundle_moves_forward;
     delete from generation.audit_entry where serial = '${certificate.serialNumber}';
     delete from generation.ocsp_answer where certificate_id = '${certificate.id}';
     delete from generation.status_change where certificate_id = '${certificate.id}';
     delete from generation.certificate_word where certificate_id = '${certificate.id}';
     delete from generation.bundle where certificate_id = '${certificate.id}';
     alter table generation.bundle enable trigger bundle_moves_forward;
     delete from generation.certificate where id = '${certificate.id}';
     update generation.crl set renew_at = now() where issuer = 'issuing'`,
  );
  await seen(() => scene.metrics()).toMatch(/lists_refused_total\{[^}]*list="issuing"[^}]*\} [1-9]/);
  expect(await list()).toMatchObject({ number });
  expect(await reasonIn(certificate)).toBe('superseded');
});

it('an OCSP answer of before a revocation is not given after it, though the key file makes its MAC', async () => {
  const certificate = await issued();
  const { id } = certificate;
  expect(await ocsp(certificate)).toBe('good');
  const [kept] = await query<{
    hash_algorithm: 'sha1';
    der: Buffer;
    this_update: Date;
    next_update: Date;
  }>('select * from generation.ocsp_answer where certificate_id = $1', [id]);
  if (kept === undefined) throw new Error('no answer is kept');
  await admin().revoke.mutate({ id, revocationReason: 'keyCompromise' });
  expect(await ocsp(certificate)).toBe('keyCompromise');
  const statusVersion = (await stored(certificate))?.version ?? 0;
  const { hash_algorithm: hashAlgorithm, der, this_update: thisUpdate, next_update: nextUpdate } = kept;
  const answer = { hashAlgorithm, der, thisUpdate, nextUpdate };
  const mac = makeAnswerMac(rows, { id, statusVersion, answer });
  await database.execute(
    `update ocsp_answer set der = $2, this_update = $3, next_update = $4, mac = $5, status_version = $6
     where certificate_id = $1 and hash_algorithm = 'sha1'`,
    [id, der, thisUpdate, nextUpdate, mac, statusVersion],
  );
  expect(await ocsp(certificate)).toBe('keyCompromise');
  expect(await scene.metrics()).toMatch(
    /rubrica_rows_not_authentic_total\{[^}]*table="ocsp_answer"[^}]*\} [1-9]/,
  );
});

it('a revocation keeps its time and reason, though the key file makes the MAC of another', async () => {
  const certificate = await issued();
  const { id } = certificate;
  await admin().revoke.mutate({ id, revocationReason: 'keyCompromise' });
  const [row] = await query<{ row: GuardedStatusRow }>(
    `select ${guardedStatusSql('c')} as row from generation.certificate as c where id = $1`,
    [id],
  );
  if (row === undefined) throw new Error('no such certificate');
  const revokedAt = new Date('2029-01-01T00:00:00Z');
  const { request_id: requestId, partner_id: partnerId, serial, issuer, crl_shard: crlShard } = row.row;
  const record = {
    id,
    requestId,
    partnerId,
    serial,
    issuer,
    crlShard,
    notAfter: new Date(row.row.not_after),
  };
  const statusVersion = row.row.version + 1;
  const mac = makeStatusMac(rows, {
    ...record,
    ...{ revokedAt, revocationReason: 'superseded', heldAt: null, statusVersion },
  });
  await database.execute(
    `update certificate set revoked_at = $2, revocation_reason = 'superseded', status_version = $3, mac = $4 where id = $1`,
    [id, revokedAt, statusVersion, mac],
  );
  expect(await ocsp(certificate)).toBe('keyCompromise');
  // A list that would say otherwise is not signed.
  expect(await reasonIn(certificate)).not.toBe('superseded');
});
