import { createDatabase, type Database } from '@rubrica/database/connection';
import { encodeCertId, issuerHashes, ocspRequest, parseCrl, parseOcspResponse } from '@rubrica/pki';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { systemClock, uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { firstStatusEntriesSql } from '../src/certificate/status-entries.ts';
import { createCrlLedger } from '../src/crl/crl-ledger.ts';
import { openIssuers } from '../src/issuers/open-issuers.ts';
import { entities, schema } from '../src/store/schema.ts';
import {
  admin as adminOf,
  codeOf,
  issued as issuedIn,
  published,
  type TestCertificate,
} from './support/issued-certificates.ts';
import { partnerId } from './support/orders.ts';
import { openScene } from './support/scene.ts';
import { endMixedFleet, openEntries, openMixedFleet, openRows } from './support/status-macs.ts';

/** With the rights of the service's role in the database, and without its keys. */
const scene = await disposeAfterAll(openScene());
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
await vi.waitFor(() => published(scene, 'issuing.crl'), { timeout: 60_000 });

type Row = Record<string, unknown>;
const asRole = (sql: string, params: unknown[] = []): Promise<Row[]> =>
  database.orm.em.fork().getConnection().execute(sql, params);
const issued = () => issuedIn(scene);
const seen = (look: () => Promise<unknown>) => expect.poll(look, { interval: 50, timeout: 30_000 });

async function list() {
  const parsed = parseCrl(await published(scene, 'issuing.crl'));
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}
const reasonIn = async ({ serialNumber }: TestCertificate) => (await list()).find(serialNumber)?.reason;
const isServed = () =>
  list().then(
    () => true,
    () => false,
  );
async function signAnew() {
  const { number: before = 0n } = await list();
  await asRole(`update crl set renew_at = now() where issuer = 'issuing'`);
  await seen(async () => ((await list()).number ?? 0n) > before).toBe(true);
}

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

/** Alarms so far. */
async function alarms(): Promise<number> {
  const lines = (await scene.metrics())
    .split('\n')
    .filter((line) => /^[a-z_]*authentic[a-z_]*[{ ]/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const revokeByPartner = ({ requestId, serialNumber }: TestCertificate) =>
  scene.env.intakePeer
    .serviceClient({ kind: 'partner', partnerId, clientId: 'client-one', scopes: ['certificates:revoke'] })
    .certificates.revoke.mutate({ requestId, serialNumber, reason: 'keyCompromise', comment: 'lost' });

describe('a row that is changed while a revocation waits for it', () => {
  it('does not have the revocation written down for another serial number', async () => {
    const certificate = await issued();
    const other = `4${'A'.repeat(39)}`;
    let revoking: Promise<string> | undefined;
    await database.transaction(async (em) => {
      const context = em.getTransactionContext();
      await em
        .getConnection()
        .execute('update certificate set serial = ? where id = ?', [other, certificate.id], 'run', context);
      revoking = codeOf(revokeByPartner(certificate));
      await seen(() => asRole('select from pg_locks where not granted')).not.toEqual([]);
    });
    expect(await revoking).not.toBe('OK');
    expect(await asRole('select action from audit_entry where serial = ?', [other])).toEqual([]);
    await asRole('update certificate set serial = ? where id = ?', [
      certificate.serialNumber,
      certificate.id,
    ]);
    expect(await codeOf(revokeByPartner(certificate))).toBe('OK');
    expect(await ocsp(certificate)).toBe('keyCompromise');
  });
});

describe('forged entries of signed lists', () => {
  /** Puts the list of that row into the tables again, as the newest. */
  async function putBack(row: Row | undefined, pieces: readonly Row[]) {
    for (const { number, at, der } of pieces)
      await asRole(
        `insert into crl_piece (issuer, shard, number, at, der) values ('issuing', 0, ?, ?, ?)
         on conflict do nothing`,
        [number, at, der],
      );
    await asRole(
      `update crl set number = ?, octets = ?, this_update = ?, next_update = ?, renew_at = ?,
         signed_changes = changes + 1000 where issuer = 'issuing' and shard = 0`,
      [row?.number, row?.octets, row?.this_update, row?.next_update, row?.next_update],
    );
  }
  const forge = (number: unknown, count: number) =>
    asRole(
      `insert into audit_entry (action, actor, detail)
       select 'crl.signed', 'service:generation',
         jsonb_build_object('target', 'crl:issuing', 'number', ?::bigint) from generate_series(1, ?)`,
      [number, count],
    );

  async function replaced() {
    const certificate = await issued();
    await signAnew();
    const [row] = await asRole(`select * from crl where issuer = 'issuing' and shard = 0`);
    const pieces = await asRole(
      `select * from crl_piece where issuer = 'issuing' and shard = 0 and number = ?`,
      [row?.number],
    );
    await adminOf(scene).revoke.mutate({ id: certificate.id, revocationReason: 'keyCompromise' });
    await seen(() => reasonIn(certificate)).toBe('keyCompromise');
    return { certificate, row, pieces };
  }
  const settled = (certificate: TestCertificate) =>
    seen(() => reasonIn(certificate).catch(() => undefined)).toBe('keyCompromise');

  it.each([300, 3_000])('do not have an old list served again, were they %i', async (count) => {
    const { certificate, row, pieces } = await replaced();
    const before = await alarms();
    await forge(String((await list()).number), count);
    await putBack(row, pieces);
    expect(await reasonIn(certificate).catch(() => 'not served')).not.toBe(undefined);
    await seen(alarms).toBeGreaterThanOrEqual(Math.max(before, 1));
    await settled(certificate);
  });

  it('have nothing served where more of them come first than are looked through', async () => {
    const { certificate, row, pieces } = await replaced();
    const { number = 0n } = await list();
    await forge(String(number + 1n), 3_000);
    await putBack(row, pieces);
    expect(await isServed()).toBe(false);
    expect(await alarms()).toBeGreaterThan(0);
    // The next number that is given is above theirs.
    await asRole(`update crl set last_number = ? where issuer = 'issuing'`, [String(number + 1n)]);
    await settled(certificate);
  });

  it('take no list from those who download it, by numbers far above', async () => {
    const certificate = await issued();
    await asRole(
      `insert into audit_entry (action, actor, detail)
       select 'crl.signed', 'service:generation', jsonb_build_object('target', 'crl:issuing', 'number', 1700000000 + n)
       from generate_series(1, 3000) as n`,
    );
    expect(await isServed()).toBe(true);
    expect(await codeOf(revokeByPartner(certificate))).toBe('OK');
    await seen(() => reasonIn(certificate)).toBe('keyCompromise');
    await seen(alarms).toBeGreaterThan(0);
    // A copy that has just started searches them once.
    const rows = await openRows(scene.env);
    const ledger = createCrlLedger(database, rows);
    const { number = 0n } = await list();
    const served = await ledger.served({ issuer: 'issuing', shard: 0, isDelta: false }, 0);
    expect(served?.number).toBeGreaterThanOrEqual(Number(number));
    await scene.env.database.query(
      `alter table generation.audit_entry disable trigger audit_entry_no_delete;
       delete from generation.audit_entry where action = 'crl.signed' and (detail ->> 'number')::bigint > 1700000000;
       alter table generation.audit_entry enable always trigger audit_entry_no_delete`,
    );
  });

  it('are none where a list is stored while an older one is read', async () => {
    const rows = await openRows(scene.env);
    let calls = 0;
    const statement: Database['statement'] = async (asked) => {
      calls += 1;
      if (calls === 2) await signAnew();
      return database.statement(asked);
    };
    const ledger = createCrlLedger({ statement, entries: database.entries }, rows);
    const served = await ledger.served({ issuer: 'issuing', shard: 0, isDelta: false }, 0);
    expect(rows.failed()).toEqual([]);
    expect(served?.octets).toBeGreaterThan(0);
    expect(calls).toBe(2);
  });
});

describe('rows of lists under numbers that come later', () => {
  it('keep no list from being signed, and raise an alarm', async () => {
    const certificate = await issued();
    const before = await alarms();
    await asRole(
      `insert into crl_piece (issuer, shard, number, at, der)
       select 'issuing', 0, last_number + n, at, '\\x00' from crl, generate_series(1, 300) as n, generate_series(0, 100) as at
       where issuer = 'issuing' and shard = 0`,
    );
    await asRole(
      `insert into crl_base (issuer, shard, number, changes, next_update)
       select 'issuing', 0, last_number + n, 0, '2999-01-01' from crl, generate_series(1, 300) as n
       where issuer = 'issuing' and shard = 0`,
    );
    expect(await codeOf(revokeByPartner(certificate))).toBe('OK');
    await seen(() => reasonIn(certificate)).toBe('keyCompromise');
    expect(await alarms()).toBeGreaterThan(before);
  });

  it('and below are deleted little by little', async () => {
    await signAnew();
    const left = () => asRole('select from crl_piece where der = ?', [Buffer.from([0])]);
    await asRole(
      `insert into crl_piece (issuer, shard, number, at, der)
       select 'issuing', 0, 0, at, '\\x00' from generate_series(1, 1500) as at`,
    );
    await signAnew();
    expect((await left()).length).toBeLessThan(1500);
    await signAnew();
    await signAnew();
    expect(await left()).toEqual([]);
  });
});

it('times of a row that lie far ahead delay no list beyond its rule', async () => {
  const certificate = await issued();
  await asRole(
    `update crl set renew_at = now() + interval '399 days', rest_until = now() + interval '399 days'
     where issuer = 'issuing' and shard = 0`,
  );
  // As if the time of the rule had passed: lists of this authority are complete again after fifteen minutes.
  await asRole(
    `update crl set this_update = this_update - interval '16 minutes' where issuer = 'issuing' and shard = 0`,
  );
  expect(await codeOf(revokeByPartner(certificate))).toBe('OK');
  await seen(() => reasonIn(certificate)).toBe('keyCompromise');
});

it('lists of shards that no certificate names keep no other list waiting', async () => {
  const certificate = await issued();
  await asRole(
    `insert into crl (issuer, shard, changes) select 'issuing', 1000 + n, 1 from generate_series(1, 300) as n`,
  );
  expect(await codeOf(revokeByPartner(certificate))).toBe('OK');
  await seen(() => reasonIn(certificate)).toBe('keyCompromise');
  await expect(asRole(`insert into crl (issuer, shard) values ('issuing', 5000)`)).rejects.toThrow(
    'within_bounds',
  );
  // One of them may be signed at this moment.
  const remove = () =>
    asRole('delete from crl_piece where shard > 1000')
      .then(() => asRole('delete from crl where shard > 1000'))
      .then(() => 'removed');
  await seen(() => remove().catch(() => 'in use')).toBe('removed');
});

describe('a revocation that an earlier release has written', () => {
  beforeAll(() => openMixedFleet(scene.env));
  afterAll(() => endMixedFleet(scene.env));

  it('stays in lists and answers, whatever authority the row names', async () => {
    const certificate = await issued();
    await scene.env.database.query(
      `with changed as (
         update generation.certificate set revoked_at = date_trunc('second', now()),
           revocation_reason = 'keyCompromise', status_version = 2 where id = $1
         returning request_id, attempt, serial
       )
       insert into generation.audit_entry (action, actor, request_id, attempt, serial, detail)
       select 'certificate.revoked', 'operator:admin@rubrica.test', request_id, attempt, serial,
         '{"reason":"keyCompromise"}' from changed`,
      [certificate.id],
    );
    await signAnew();
    expect(await reasonIn(certificate)).toBe('keyCompromise');
    const before = await alarms();
    await asRole(
      `update certificate set issuer = 'nobody', der = decode('00', 'hex'), mac = null where id = ?`,
      [certificate.id],
    );
    await signAnew();
    expect(await reasonIn(certificate)).toBe('keyCompromise');
    expect(await ocsp(certificate)).toBe('keyCompromise');
    expect(await alarms()).toBeGreaterThan(before);
  });

  it('stays in lists and answers where nothing proves its authority', async () => {
    const { serialNumber: serial } = await issued();
    const other = { id: '', requestId: '', serialNumber: `5${serial.slice(1, -4)}ABCD` };
    await asRole(
      `insert into audit_entry (action, actor, serial, detail)
       values ('certificate.revoked', 'operator:admin@rubrica.test', ?, '{"reason":"superseded"}')`,
      [other.serialNumber],
    );
    await signAnew();
    expect(await reasonIn(other)).toBe('superseded');
    expect(await ocsp(other)).toBe('superseded');
  });
});

describe('a forged entry of a revocation', () => {
  const forge = (action: string, detail: string) =>
    asRole(
      `insert into audit_entry (action, actor, request_id, attempt, serial, detail)
       select '${action}', 'operator:admin@rubrica.test', request_id, attempt, serial, '${detail}' from certificate`,
    );

  it.each(['certificate.revoked', 'certificate.held'])(
    'of all certificates withdraws none (%s), raises alarms, and a genuine revocation counts after it',
    async (action) => {
      const [certificate, other] = [await issued(), await issued()];
      const before = await alarms();
      await forge(action, '{"reason":"keyCompromise"}');
      await asRole('delete from ocsp_answer');
      await signAnew();
      expect([await reasonIn(certificate), await ocsp(certificate)]).toEqual([undefined, 'good']);
      await seen(alarms).toBeGreaterThan(before);
      expect(await codeOf(revokeByPartner(certificate))).toBe('OK');
      await signAnew();
      expect([await ocsp(certificate), await reasonIn(certificate)]).toEqual([
        'keyCompromise',
        'keyCompromise',
      ]);
      expect([await ocsp(other), await reasonIn(other)]).toEqual(['good', undefined]);
    },
  );

  it('is read in pages, were there thousands, and the genuine one among them counts', async () => {
    const certificate = await issued();
    const forgeMany = (count: number, actor = 'operator:admin@rubrica.test') =>
      asRole(
        `insert into audit_entry (action, actor, serial, mac, entry_id)
         select case when n % 2 = 0 then 'certificate.revoked' else 'certificate.released' end, ?, ?, 'v1.x', gen_random_uuid()
         from generate_series(1, ?) as n`,
        [actor, certificate.serialNumber, count],
      );
    await forgeMany(600, 'x'.repeat(1_000));
    expect(await ocsp(certificate)).toBe('good');
    expect(await codeOf(revokeByPartner(certificate))).toBe('OK');
    await forgeMany(600, 'x'.repeat(1_000));
    await signAnew();
    await asRole('delete from ocsp_answer');
    expect([await reasonIn(certificate), await ocsp(certificate)]).toEqual([
      'keyCompromise',
      'keyCompromise',
    ]);
    await expect(forgeMany(1, 'x'.repeat(30_000))).rejects.toThrow('too large');
    const [read] = await asRole(`select octet_length(${firstStatusEntriesSql('?')}::text) as octets`, [
      certificate.serialNumber,
    ]);
    expect(Number(read?.octets)).toBeLessThan(20 * 8_192 * 2);
  });

  it('keeps a request from no certificate by an entry of one that was issued', async () => {
    const job = { requestId: uuidv7(), attempt: 1 };
    await asRole(
      `insert into audit_entry (action, actor, request_id, attempt, serial)
       values ('certificate.issued', 'service:generation', ?, 1, 'AB')`,
      [job.requestId],
    );
    expect(await scene.order({}, job)).toMatchObject({ subject: 'issued' });
  });

  it('for what is no serial number stops no list, and raises an alarm', async () => {
    const before = await alarms();
    for (const serial of ['ZZ', '', `00${'4'.repeat(38)}`, '4'.repeat(42), '4,4 4'])
      await asRole(
        `insert into audit_entry (action, actor, serial) values ('certificate.revoked', 'service:generation', ?)`,
        [serial],
      );
    await signAnew();
    expect([...(await list()).entries()].filter(({ serial }) => ![30, 40].includes(serial.length))).toEqual(
      [],
    );
    await signAnew();
    expect(await alarms()).toBeGreaterThan(before);
  });
});

describe('a row without a MAC', () => {
  const alter = ({ id }: TestCertificate, set: string) =>
    asRole(`update certificate set ${set}, mac = null where id = ?`, [id]);
  const macOf = async ({ id }: TestCertificate) =>
    (await asRole('select mac from certificate where id = ?', [id]))[0]?.mac;

  it.each([
    'status_version = 1073741824',
    'partner_id = gen_random_uuid()',
    `not_after = now() - interval '1 day'`,
  ])('by which %s is revoked by its partner all the same, with an alarm', async (set) => {
    const certificate = await issued();
    const before = await alarms();
    await alter(certificate, set);
    expect(await codeOf(revokeByPartner(certificate))).toBe('OK');
    expect(await ocsp(certificate)).toBe('keyCompromise');
    expect(await alarms()).toBeGreaterThan(before);
  });

  it('by which its serial number is another is not found, in words that say why', async () => {
    const certificate = await issued();
    await alter(certificate, 'serial = lower(serial)');
    await expect(revokeByPartner(certificate)).rejects.toThrow(/not as the authority wrote it/);
  });

  it('by which it has another number and request is not found by partner or authority, in words that say why, with an alarm', async () => {
    const certificate = await issued();
    const { requestId, serialNumber } = certificate;
    const other = uuidv7();
    await asRole(
      `insert into issuance (request_id, attempt, state, finished_at) values (?, 1, 'OBSOLETE', now())`,
      [other],
    );
    await alter(certificate, `serial = 'AA' || substr(serial, 3), request_id = '${other}'`);
    const before = await alarms();
    await expect(revokeByPartner(certificate)).rejects.toThrow(/not as the authority wrote it/);
    expect(await alarms()).toBeGreaterThan(before);
    await expect(adminOf(scene).revoke.mutate({ serialNumber })).rejects.toThrow(
      /not as the authority wrote it/,
    );
    const { certificates } = scene.env.intakePeer.serviceClient({ kind: 'service', name: 'intake' });
    await expect(certificates.byRequest.query({ requestId, partnerId })).rejects.toThrow(
      /not as the authority wrote it/,
    );
  });

  it('by which it stands under the id of another one is not revoked in its place', async () => {
    const [one, other] = [await issued(), await issued()];
    const nobody = uuidv7();
    const [{ columns } = { columns: '' }] = (await asRole(
      `select string_agg(column_name, ', ') as columns from information_schema.columns where table_schema = 'generation'
         and table_name = 'certificate' and column_name not in ('id', 'status_version', 'mac', 'lifetime_days')`,
    )) as { columns: string }[];
    const rows = await asRole(
      'select to_jsonb(c) as row from certificate c where id in (?, ?) order by id = ?',
      [one.id, other.id, other.id],
    );
    const put = (id: string, row: unknown) =>
      asRole(
        `update certificate set (${columns}) = (select ${columns} from jsonb_populate_record(null::certificate, ?::jsonb))
           where id = ?`,
        [JSON.stringify(row), id],
      );
    await asRole(
      `insert into issuance (request_id, attempt, state, finished_at) values (?, 1, 'OBSOLETE', now())`,
      [nobody],
    );
    await asRole(`update certificate set serial = 'AA' || substr(serial, 3), request_id = ? where id = ?`, [
      nobody,
      one.id,
    ]);
    await put(other.id, rows[0]?.row);
    await put(one.id, rows[1]?.row);
    await expect(adminOf(scene).revoke.mutate({ id: one.id })).rejects.toThrow(
      /not as the authority wrote it/,
    );
    expect([await ocsp(one), await ocsp(other)]).toEqual(['good', 'good']);
    const { serialNumber } = one;
    expect(await codeOf(adminOf(scene).revoke.mutate({ serialNumber }))).toBe('OK');
    expect([await ocsp(one), await ocsp(other)]).toEqual(['unspecified', 'good']);
  });

  it('by which it is of another request is no certificate of that one', async () => {
    const [one, other] = [await issued(), await issued()];
    await adminOf(scene).revoke.mutate({ id: one.id });
    await alter(other, `request_id = '${one.requestId}', attempt = 1`);
    const { certificates } = scene.env.intakePeer.serviceClient({ kind: 'service', name: 'intake' });
    const ofRequest = (requestId: string) => certificates.byRequest.query({ requestId, partnerId });
    expect(await ofRequest(one.requestId)).toMatchObject({
      serialNumber: one.serialNumber,
      status: 'REVOKED',
    });
    await expect(ofRequest(other.requestId)).rejects.toThrow(/not as the authority wrote it/);
  });

  it('gets none for an owner that nothing proves', async () => {
    const certificate = await issued();
    await scene.env.database.query(
      `alter table generation.audit_entry disable trigger audit_entry_place;
       update generation.audit_entry set mac = null where serial = '${certificate.serialNumber}' and action = 'certificate.issued';
       alter table generation.audit_entry enable always trigger audit_entry_place`,
    );
    await alter(certificate, 'partner_id = gen_random_uuid()');
    await expect(revokeByPartner(certificate)).rejects.toThrow(/not as the authority wrote it/);
    expect(await codeOf(adminOf(scene).revoke.mutate({ id: certificate.id }))).toBe('OK');
    expect([await ocsp(certificate), await macOf(certificate)]).toEqual(['unspecified', null]);
  });
});

it.each(['changes = 9223372036854775807', 'last_number = 9223372036854775807'])(
  'numbers of a list go forward step by step: %s is refused, and certificates are revoked as before',
  async (set) => {
    const certificate = await issued();
    expect(await codeOf(revokeByPartner(await issued()))).toBe('OK');
    await expect(asRole(`update crl set ${set}`)).rejects.toThrow('step by step');
    expect(await codeOf(revokeByPartner(certificate))).toBe('OK');
  },
);

it('revokes a certificate although its events were put into the outbox beforehand', async () => {
  const certificate = await issued();
  await asRole(
    `insert into outbox (message_id, subject, payload, published_at)
     select 'status-' || ? || '-' || version || ending, 'events.certificate.status', '{}', now()
     from generate_series(1, 40) as version, unnest(array['', '-owner']) as ending`,
    [certificate.id],
  );
  expect(await codeOf(revokeByPartner(certificate))).toBe('OK');
  await seen(() => reasonIn(certificate)).toBe('keyCompromise');
});

describe('an order whose rows were deleted', () => {
  it('gets no second certificate, and raises an alarm', async () => {
    const job = { requestId: uuidv7(), attempt: 1 };
    const event = await scene.order({}, job);
    if (event.subject !== 'issued') throw new Error(event.code);
    const { certificateId: id } = event;
    // As the owner alone can: the role deletes no bundle, and so no certificate that has one.
    await expect(asRole('delete from bundle where certificate_id = ?', [id])).rejects.toThrow(
      'only move forward',
    );
    await scene.env.database.query(
      `alter table generation.bundle disable trigger bundle_moves_forward;
       delete from generation.bundle where certificate_id = '${id}';
       alter table generation.bundle enable trigger bundle_moves_forward`,
    );
    for (const table of ['certificate_word', 'ocsp_answer'])
      await asRole(`delete from ${table} where certificate_id = ?`, [id]);
    await asRole('delete from certificate where id = ?', [id]);
    await asRole('delete from serial_number where request_id = ?', [job.requestId]);
    await asRole('delete from issuance where request_id = ?', [job.requestId]);
    const before = await alarms();
    await scene.env.intake.publishJob(job, `again-${job.requestId}`);
    await seen(alarms).toBeGreaterThan(before);
    // Jobs are taken in their order.
    await issued();
    expect(await scene.liveCertificates(job.requestId)).toBe(0);
    const actions = await asRole('select action from audit_entry where request_id = ?', [job.requestId]);
    expect(actions.filter(({ action }) => action === 'certificate.issued')).toHaveLength(1);
  });
});
