import { randomBytes } from 'node:crypto';
import {
  encodeCertId,
  issuerHashes,
  ocspRequest,
  parseCertificate,
  parseCrl,
  parseOcspResponse,
} from '@rubrica/pki';
import { disposeAfterAll } from '@rubrica/testkit';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { byTwoAdministrators, operatorActor } from '../support/operator-actor.ts';
import { until } from '../support/poll.ts';
import { openScene } from '../support/scene.ts';
import { errorsLogged } from '../support/service-logs.ts';
import { readPartnerSettings } from '../support/stolen-service.ts';

/** What an attacker gets who has the database role of generation, and nothing else. */
const scene = await disposeAfterAll(openScene());
const url = new URL(scene.stack.info().databaseUrl);
url.username = 'rubrica_generation';
url.password = (await readPartnerSettings(scene)).database.generation?.appPassword ?? '';
const attacker = new Client({ connectionString: url.href });
await attacker.connect();
const authority = parseCertificate(await download(scene.stack.info().pki.issuing));
if (!authority.ok) throw new Error(authority.error.reason);
const issuer = issuerHashes(authority.value);
const admin = await operatorActor(scene.stack.info(), 'admin');

afterAll(() => attacker.end());

const sql = async <Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> =>
  (await attacker.query(text, [...params])).rows as Row[];

async function deleteBundle(certificateId: string): Promise<void> {
  const owner = new Client({ connectionString: scene.stack.info().databaseUrl });
  await owner.connect();
  try {
    await owner.query('alter table generation.bundle disable trigger bundle_moves_forward');
    await owner.query('delete from generation.bundle where certificate_id = $1', [certificateId]);
    await owner.query('alter table generation.bundle enable trigger bundle_moves_forward');
  } finally {
    await owner.end();
  }
}

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

interface Victim {
  readonly id: string;
  readonly serial: string;
}

async function issued(): Promise<Victim> {
  const { sandbox } = scene.partners;
  const { reference } = await sandbox.accepted();
  const { serialNumber } = await sandbox.reaches(reference, 'GENERATED');
  const [row] = await sql<Victim>('select id, serial from certificate where serial = $1', [serialNumber]);
  if (row === undefined) throw new Error('a generated request has a certificate');
  return row;
}

/** As a program asks: with a nonce, which is signed for it alone, or without one, which may be a stored answer. */
async function ocsp({ serial }: Victim, nonce?: Buffer): Promise<unknown> {
  const request = ocspRequest({
    certIds: [encodeCertId({ issuer, hash: 'sha1', serial })],
    ...(nonce && { nonce }),
  });
  const response = await fetch(scene.stack.info().pki.ocsp, {
    method: 'POST',
    headers: { 'content-type': 'application/ocsp-request' },
    body: new Uint8Array(request),
  });
  const parsed = parseOcspResponse(new Uint8Array(await response.arrayBuffer()));
  if (!parsed.ok) throw new Error(parsed.error.reason);
  const status =
    parsed.value.status === 'successful' ? parsed.value.responses[0]?.status : parsed.value.status;
  return typeof status === 'object' ? status.reason : status;
}

async function list() {
  const parsed = parseCrl(await download(scene.stack.info().pki.crl));
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}
const inList = async ({ serial }: Victim) => (await list()).find(serial)?.reason;

async function revoke({ serial: serialNumber }: Victim, reason: string): Promise<void> {
  const { token } = scene.partners.sandbox;
  const body = { serialNumber, reason };
  const answer = await scene.call({ path: '/manager/certificate/revoke', token, body });
  expect(answer).toMatchObject({ status: 200 });
}

/** Waits for a list that was signed after this call. */
async function nextList(): Promise<void> {
  const other = await issued();
  await revoke(other, 'superseded');
  await until('the next list', () => inList(other));
}

async function revoked(): Promise<Victim> {
  const victim = await issued();
  await revoke(victim, 'keyCompromise');
  await until('the list', () => inList(victim));
  return victim;
}

/** An alarm of generation about that row. */
const alarm = (table: string, subject: string) =>
  until(`the alarm of ${table} ${subject}`, async () =>
    (await errorsLogged(scene.stack.home, {})).find(
      (line) => (line as unknown as Alarm).table === table && (line as unknown as Alarm).subject === subject,
    ),
  );
interface Alarm {
  readonly table?: string;
  readonly subject?: string;
}

const forgetAnswers = (id: string) => sql('delete from ocsp_answer where certificate_id = $1', [id]);

/** What is tried against a certificate that is revoked; `before` is its row from before the revocation. */
const attacks: Readonly<Record<string, (victim: Victim, before: object) => Promise<unknown>>> = {
  'taking the revocation out of the row': async ({ id }) => {
    await forgetAnswers(id);
    await sql(
      `update certificate set revoked_at = null, revocation_reason = null, status_version = status_version + 1
       where id = $1`,
      [id],
    );
  },
  'putting the row back whole, as it was before': ({ id }, before) =>
    sql(
      `with former as (select * from jsonb_populate_record(null::certificate, $2)),
       forgotten as (delete from ocsp_answer where certificate_id = $1)
       update certificate set (revoked_at, revocation_reason, held_at, status_version, mac)
         = (select revoked_at, revocation_reason, held_at, status_version, mac from former) where id = $1`,
      [id, before],
    ),
  'giving it the MAC of a certificate that is good': async ({ id }) => {
    const { id: other } = await issued();
    await forgetAnswers(id);
    await sql(
      `update certificate set revoked_at = null, revocation_reason = null, status_version = 1,
         mac = (select mac from certificate where id = $2) where id = $1`,
      [id, other],
    );
  },
  'deleting the row and all that refers to it': async ({ id }) => {
    // The role deletes no bundle, and so no certificate that has one: the schema's owner does it here.
    await expect(sql('delete from bundle where certificate_id = $1', [id])).rejects.toThrow(
      'only move forward',
    );
    await deleteBundle(id);
    for (const table of ['ocsp_answer', 'status_change', 'certificate_word'])
      await sql(`delete from ${table} where certificate_id = $1`, [id]);
    await sql('delete from certificate where id = $1', [id]);
  },
  'letting the certificate expire': ({ id }) =>
    sql(`update certificate set not_after = now() - interval '2 years' where id = $1`, [id]),
  'giving the row another serial number': ({ id }) =>
    sql(`update certificate set serial = '4B' || substr(serial, 3) where id = $1`, [id]),
  'giving the row another authority': ({ id }) =>
    sql(`update certificate set issuer = 'other' where id = $1`, [id]),
  'saying removeFromCRL as the reason': async ({ id }) => {
    await forgetAnswers(id);
    await sql(`update certificate set revocation_reason = 'removeFromCRL' where id = $1`, [id]);
  },
};

/** Without the column: the former release had none. */
async function rowOf({ id }: Victim): Promise<object> {
  const [row] = await sql<{ row: object }>(
    'select to_jsonb(certificate) as row from certificate where id = $1',
    [id],
  );
  return row?.row ?? {};
}

describe('generation’s database role alone: a certificate that was revoked is good again', () => {
  it.each(Object.keys(attacks))('is not got by %s', async (name) => {
    const victim = await issued();
    const before = await rowOf(victim);
    await revoke(victim, 'keyCompromise');
    await until('the list', () => inList(victim));
    await attacks[name]?.(victim, before);
    await nextList();
    expect({
      signed: await ocsp(victim, randomBytes(16)),
      stored: await ocsp(victim),
      listed: await inList(victim),
    }).toEqual({ signed: 'keyCompromise', stored: 'keyCompromise', listed: 'keyCompromise' });
    const subject = name.startsWith('deleting') ? victim.serial : victim.id;
    expect(await alarm('certificate', subject)).toBeDefined();
  });

  it('is not got by a stored answer from before', async () => {
    const victim = await issued();
    expect(await ocsp(victim)).toBe('good');
    const [before] = await sql<{ row: object }>(
      'select to_jsonb(a) as row from ocsp_answer as a where certificate_id = $1',
      [victim.id],
    );
    await revoke(victim, 'keyCompromise');
    await sql(
      `update ocsp_answer as a set (der, this_update, next_update, mac) = (select f.der, f.this_update, f.next_update, f.mac
         from jsonb_populate_record(null::ocsp_answer, $2) as f) where certificate_id = $1`,
      [victim.id, before?.row],
    );
    expect(await ocsp(victim)).toBe('keyCompromise');
    expect(await alarm('ocsp_answer', victim.id)).toBeDefined();
  });

  it('is not got by a list from before', async () => {
    await revoked();
    const lists = await sql<{ crl: object; pieces: object }>(
      `select to_jsonb(crl) as crl, (select jsonb_agg(to_jsonb(p)) from crl_piece as p
         where (p.issuer, p.shard, p.number) = (crl.issuer, crl.shard, crl.number)) as pieces
       from crl where issuer = 'issuing' and shard = 0`,
    );
    const victim = await revoked();
    const { number: last = 0n } = await list();
    await sql(`delete from crl_piece where issuer = 'issuing' and shard = 0`);
    await sql('insert into crl_piece select * from jsonb_populate_recordset(null::crl_piece, $1)', [
      JSON.stringify(lists[0]?.pieces),
    ]);
    await sql(
      `update crl set (number, octets, this_update, next_update, last_number, signed_changes)
         = (select number, octets, this_update, next_update, last_number, crl.changes
            from jsonb_populate_record(null::crl, $1)) where issuer = 'issuing' and shard = 0`,
      [lists[0]?.crl],
    );
    await until('a list that is not older', async () => {
      const response = await fetch(scene.stack.info().pki.crl);
      if (!response.ok) return undefined;
      const parsed = parseCrl(Buffer.from(await response.arrayBuffer()));
      if (!parsed.ok) throw new Error(parsed.error.reason);
      expect(parsed.value.find(victim.serial)).toBeDefined();
      return (parsed.value.number ?? 0n) > last || undefined;
    });
    expect(await alarm('crl', 'issuing')).toBeDefined();
  });
});

describe('the same: a certificate on hold is released', () => {
  async function held(): Promise<{ victim: Victim; before: object }> {
    const victim = await issued();
    const before = await rowOf(victim);
    await admin.call('certificates.hold', { id: victim.id });
    await until('the list', () => inList(victim));
    return { victim, before };
  }
  const isHeld = async (victim: Victim) => {
    await nextList();
    expect([await ocsp(victim, randomBytes(16)), await ocsp(victim), await inList(victim)]).toEqual(
      Array(3).fill('certificateHold'),
    );
  };

  it('is not got by taking the hold out of the row', async () => {
    const { victim } = await held();
    await forgetAnswers(victim.id);
    await sql('update certificate set held_at = null, status_version = status_version + 1 where id = $1', [
      victim.id,
    ]);
    await isHeld(victim);
    expect(await alarm('certificate', victim.id)).toBeDefined();
  });

  it('is not got by the row from before and an invented entry of the audit log', async () => {
    const { victim, before } = await held();
    const [entry] = await sql<{ sequence: string }>(
      `insert into audit_entry (action, actor, request_id, attempt, serial, detail)
       select 'certificate.released', 'operator:admin@rubrica.test', request_id, attempt, serial, '{}'
       from certificate where id = $1 returning sequence::text as sequence`,
      [victim.id],
    );
    await attacks['putting the row back whole, as it was before']?.(victim, before);
    await isHeld(victim);
    expect(await alarm('audit_entry', entry?.sequence ?? '')).toBeDefined();
  });

  it('is not got by an entry that once released it, copied, and the row of that time', async () => {
    const victim = await issued();
    await admin.call('certificates.hold', { id: victim.id });
    await byTwoAdministrators(scene.stack.info(), 'certificates.release', { id: victim.id });
    const before = await rowOf(victim);
    await admin.call('certificates.hold', { id: victim.id });
    await until('the list', () => inList(victim));
    await sql(
      `insert into audit_entry (action, actor, request_id, attempt, serial, detail)
       select action, actor, request_id, attempt, serial, detail from audit_entry
       where serial = $1 and action = 'certificate.released'`,
      [victim.serial],
    );
    await attacks['putting the row back whole, as it was before']?.(victim, before);
    await isHeld(victim);
  });
});
