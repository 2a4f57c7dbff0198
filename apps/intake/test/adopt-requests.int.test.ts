import { adoptAuditEntries } from '@rubrica/audit/entries';
import { createDatabase } from '@rubrica/database/connection';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { auditLog } from '../src/base/audit-log.ts';
import { schema } from '../src/entities.ts';
import { adoptRequests } from '../src/requests/request/registered/adopt-requests.ts';
import { digestObservations } from '../src/requests/request/registered/decision.ts';
import { reopenAdoption } from '../src/requests/request/registered/reopen-adoption.ts';
import { claimGround, fault } from './support/claims.ts';
import { ownDatabase } from './support/own-database.ts';
import { asPartner, makeRegistration } from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A database that the release before has written: no request in it has a MAC, or a decision. */
const ground = await disposeAfterAll(claimGround());
const { database, rows } = await ownDatabase(ground.intake.ground);

afterAll(() => database.close());
beforeEach(() => upgradedNow());

const query = <Row = Record<string, unknown>>(sql: string, params: unknown[] = []) =>
  ground.intake.query<Row>(sql, params);

/** As the migration writes it, with what is on the audit chain by now. */
async function upgradedNow(ends = "now() + interval '1 day'"): Promise<void> {
  await using owner = createDatabase({
    url: ground.intake.ground.service.ownerUrl,
    ...{ schema, entities: [], logger },
  });
  await reopenAdoption(owner, 24);
  await adoptAuditEntries(owner, { table: auditLog.table, hours: 24 });
  await query(`update intake.data_upgrade set began_at = now(), ends_at = ${ends},
    audit_sequence = (select coalesce(max(chain_sequence), 0) from intake.audit)`);
}
async function chained(requestId: string): Promise<void> {
  await pollFor(async () => {
    const found = await query(
      `select 1 from intake.audit where target = 'request:' || $1 and chain_sequence is not null
         and action in ('requests.approve', 'reviews.approve')`,
      [requestId],
    );
    return found.length > 0;
  });
}
/** Takes away what the release before does not write. */
async function unprotected(requestId: string, set = ''): Promise<void> {
  await query(
    `update intake.request set data_mac = null, decision = null, password_sha256 = null, evidence_sha256 = null,
       data_version = 1 ${set} where id = $1`,
    [requestId],
  );
}
const statusOf = async (requestId: string) =>
  (await query<{ status: string }>('select status from intake.request where id = $1', [requestId]))[0]
    ?.status;
const reaches = (requestId: string, status: string) =>
  pollFor(async () => (await statusOf(requestId)) === status, { what: status });

async function generating() {
  const input = makeRegistration();
  await ground.intake.client(asPartner('sandbox')).requests.register.mutate(input);
  await reaches(input.requestId, 'GENERATING');
  return input.requestId;
}
const triggersOf = async (requestId: string) =>
  (
    await query<{ trigger: string }>('select trigger from intake.timeline where request_id = $1', [requestId])
  ).map(({ trigger }) => trigger);
const order = async (requestId: string, attempt = 1) =>
  (await ground.intake.peer('generation')).issuance.order.query({ requestId, attempt });
const adopt = (onlyOpen = true) =>
  adoptRequests(
    { database, rows, clock: ground.clock, newId: uuidv7, rules: { errorWindowDays: 50 } },
    { onlyOpen },
  );

describe('a request of the release before', () => {
  it('is taken over with the decision that the audit chain proves, and is ordered', async () => {
    const requestId = await generating();
    await chained(requestId);
    // Intake takes over by itself too, while the time for it lasts.
    await upgradedNow("now() - interval '1 minute'");
    await unprotected(requestId);
    await expect(order(requestId)).rejects.toMatchObject(fault('SERVICE_UNAVAILABLE'));
    await upgradedNow();
    await adopt();
    expect(await order(requestId)).toMatchObject({ requestId, attempt: 1 });
    expect(await adopt()).toBe(0);
  });

  it('waits for its applicant as before', async () => {
    const link = await ground.approved();
    await chained(link.requestId);
    await upgradedNow();
    await unprotected(link.requestId);
    await adopt();
    await ground.claim(link, await ground.sendCode(link));
    expect(await order(link.requestId)).toMatchObject({ passwordOrigin: 'HOLDER' });
  });

  it('that nothing proves to have passed is validated again', async () => {
    const requestId = await generating();
    await query(`update intake.data_upgrade set audit_sequence = 0`);
    await unprotected(requestId);
    await adopt();
    await pollFor(
      async () =>
        (
          await query(
            `select 1 from intake.request where id = $1 and status = 'GENERATING' and generation_attempt = 2`,
            [requestId],
          )
        ).length > 0,
    );
    const kinds = await query<{ trigger: string }>(
      'select trigger from intake.timeline where request_id = $1 order by id',
      [requestId],
    );
    expect(kinds.map(({ trigger }) => trigger)).toContain('validateAgain');
    expect(await order(requestId, 2)).toMatchObject({ requestId });
    await expect(order(requestId, 1)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
  });

  it('is not approved by an entry that was written later, whatever time it names', async () => {
    const requestId = await generating();
    await query(`update intake.data_upgrade set audit_sequence = 0`);
    const attacker = createDatabase({
      url: ground.intake.ground.service.appUrl,
      schema,
      entities: [],
      logger,
    });
    await attacker.execute(
      `insert into audit (at, actor, action, target) values (now() - interval '1 day', 'service:intake', 'requests.approve', $1)`,
      [`request:${requestId}`],
    );
    await attacker.close();
    await unprotected(requestId);
    await adopt();
    await pollFor(
      async () =>
        (
          await query(`select 1 from intake.timeline where request_id = $1 and trigger = 'validateAgain'`, [
            requestId,
          ])
        ).length > 0,
    );
  });

  it('that was changed since this release wrote it is validated again, whatever was approved', async () => {
    const requestId = await generating();
    await chained(requestId);
    await upgradedNow();
    await query(
      `update intake.request set details = jsonb_set(details, '{applicantName}', '"ROSA ELENA"'), updated_at = now()
       where id = $1`,
      [requestId],
    );
    await adopt();
    await pollFor(
      async () =>
        (
          await query(
            `select 1 from intake.request where id = $1 and status = 'GENERATING' and generation_attempt = 2`,
            [requestId],
          )
        ).length > 0,
    );
    await expect(order(requestId, 1)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    expect(
      await query(`select 1 from intake.timeline where request_id = $1 and trigger = 'validateAgain'`, [
        requestId,
      ]),
    ).toHaveLength(1);
  });

  it.each([
    ['its name', `, details = jsonb_set(details, '{applicantName}', '"ROSA ELENA"')`],
    ['its number', `, identification_number = '1710034065'`],
    ['where its file goes', `, callback_url = 'https://elsewhere.example/hook'`],
    ['who owns it', `, partner_id = (select id from intake.partner where id <> request.partner_id limit 1)`],
  ])(
    'is validated again if %s was changed after the upgrade, before or after it was taken over',
    async (_, set) => {
      for (const isTakenOver of [false, true]) {
        const requestId = await generating();
        await chained(requestId);
        await upgradedNow();
        await unprotected(requestId);
        if (isTakenOver) await adopt();
        await unprotected(requestId, set);
        await adopt();
        // Intake may have it under way itself.
        await pollFor(async () => (await triggersOf(requestId)).includes('validateAgain'));
        await expect(order(requestId, 1)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
      }
    },
  );

  it('is validated again if other evidence was put in after the upgrade', async () => {
    const requestId = await generating();
    await chained(requestId);
    await upgradedNow();
    await unprotected(requestId);
    await query(
      `update intake.evidence set sha256 = repeat('0', 64) where id = (select id from intake.evidence where request_id = $1 limit 1)`,
      [requestId],
    );
    await adopt();
    await pollFor(async () => (await triggersOf(requestId)).includes('validateAgain'));
  });

  it('that waits for a review since the upgrade is not one whose checks have passed', async () => {
    const requestId = await generating();
    await upgradedNow();
    await unprotected(
      requestId,
      `, status = 'VALIDATING', validation_status = 'MANUALLY_VALIDATING', review_policy = 'manual', review_reason = 'POLICY',
         review_since = now(), identification_number = '1710034065'`,
    );
    await adopt();
    await pollFor(async () => (await triggersOf(requestId)).includes('validateAgain'));
  });

  it('that waits for a review is bound to the reason and the observations that its reviewer is to be shown', async () => {
    const requestId = await generating();
    const observations = [
      { type: 'WARNING', code: 'NAME_MISMATCH', message: 'x', createdDate: '2026-11-20T10:00:00' },
    ];
    await query(
      `update intake.request set status = 'VALIDATING', validation_status = 'MANUALLY_VALIDATING', review_policy = 'manual',
         review_reason = 'REGISTRY', observations = $2 where id = $1`,
      [requestId, JSON.stringify(observations)],
    );
    await upgradedNow();
    await unprotected(requestId);
    await adopt();
    const [row] = await query<{ decision: object }>('select decision from intake.request where id = $1', [
      requestId,
    ]);
    expect(row?.decision).toMatchObject({
      outcome: 'REVIEW',
      review: { policy: 'manual', reason: 'REGISTRY' },
      observationsSha256: digestObservations(observations),
    });
  });

  it('supersedes a certificate if it did so at the upgrade', async () => {
    const taken = async (before: string, after: string) => {
      const requestId = await generating();
      await query(`update intake.request set supersede_due_at = ${before} where id = $1`, [requestId]);
      await upgradedNow();
      await unprotected(requestId, `, supersede_due_at = ${after}, supersedes = ${before !== after}`);
      await adopt();
      const [row] = await query<{ supersedes: boolean }>(
        'select supersedes from intake.request where id = $1',
        [requestId],
      );
      return row?.supersedes;
    };
    expect(await taken("'infinity'", "'infinity'")).toBe(true);
    expect(await taken('null', "'infinity'")).toBe(false);
  });

  it('that has ended is taken over beside the rest', async () => {
    const requestId = await generating();
    await ground.intake.tell('events.certificate.failed', {
      requestId,
      attempt: 1,
      code: 'KEY_GENERATION_FAILED',
    });
    await reaches(requestId, 'ERROR');
    await ground.intake
      .client(asPartner('sandbox'))
      .requests.cancel.mutate({ family: 'TV', requestId, faults: [] });
    await unprotected(requestId);
    await adopt();
    const mac = async () =>
      (
        await query<{ mac: string | null }>('select data_mac as mac from intake.request where id = $1', [
          requestId,
        ])
      )[0]?.mac;
    expect(await mac()).toBeNull();
    await adopt(false);
    expect(await mac()).not.toBeNull();
  });

  it('whose failed generation nothing proves is validated when it is run again', async () => {
    const requestId = await generating();
    await ground.intake.tell('events.certificate.failed', {
      requestId,
      attempt: 1,
      code: 'KEY_GENERATION_FAILED',
    });
    await reaches(requestId, 'ERROR');
    await query(`update intake.data_upgrade set audit_sequence = 0`);
    await unprotected(requestId);
    await adopt();
    const { requests } = ground.intake.client(asPartner('sandbox'));
    expect(
      await requests.retry.mutate({ family: 'TV', requestId, faults: [], corrections: {} }),
    ).toMatchObject({ status: 'VALIDATING' });
    await reaches(requestId, 'GENERATING');
    expect(await order(requestId, 2)).toMatchObject({ requestId });
  });
});

describe('the time for it', () => {
  it('ends, and then a request without a MAC stays one that nobody believes', async () => {
    const requestId = await generating();
    await chained(requestId);
    await upgradedNow('now()');
    await unprotected(requestId);
    expect(await adopt(false)).toBe(0);
    await expect(order(requestId)).rejects.toMatchObject(fault('SERVICE_UNAVAILABLE'));
  });

  it('is not there in a new database, and is not given by the service’s role', async () => {
    const fresh = await claimGround();
    const [row] = await fresh.intake.query<{ over: boolean }>(
      'select ends_at <= now() as over from intake.data_upgrade',
    );
    expect(row?.over).toBe(true);
    const attacker = createDatabase({
      url: fresh.intake.ground.service.appUrl,
      schema,
      entities: [],
      logger,
    });
    for (const sql of [
      `update data_upgrade set ends_at = now() + interval '1 day'`,
      'delete from data_upgrade',
      'delete from request_at_upgrade',
      `update request_at_upgrade set digest = ''`,
      `insert into request_at_upgrade (request_id, digest) values (gen_random_uuid(), '')`,
      `insert into data_upgrade (single_row, ends_at, audit_sequence) values (true, now() + interval '1 day', 1)`,
    ])
      await expect(attacker.execute(sql)).rejects.toThrow(/permission denied/);
    await attacker.close();
    await fresh[Symbol.asyncDispose]();
  });
});
