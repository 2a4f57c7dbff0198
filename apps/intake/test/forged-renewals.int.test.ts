import { createDatabase } from '@rubrica/database/connection';
import { disposeAfterAll, makeReference, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { reopenAdoption } from '../src/requests/request/registered/reopen-adoption.ts';
import { fault } from './support/claims.ts';
import { playRenewals } from './support/play-renewals.ts';
import { asOperator, runningIntake } from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An attacker with intake's role in the database, and a partner who renews. */
const intake = await disposeAfterAll(runningIntake({ EVIDENCE_SCRUB_DAYS: '0' }));
const renewals = await disposeAfterAll(playRenewals(intake));
const attacker = await disposeAfterAll(
  createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger }),
);

const change = (requestId: string, set: string) =>
  attacker.execute(`update request set ${set} where id = $1 returning 1`, [requestId]);
const addStep = (requestId: string, status: string) =>
  attacker.execute(
    `insert into timeline (request_id, trigger, status, validation_status, actor)
     values ($1, 'cancel', $2, 'COMPLETED', 'partner') returning 1`,
    [requestId, status],
  );
const isAlarmed = async (requestId: string) => {
  const { warnings } = await intake.operators(asOperator('admin')).overview.query();
  return warnings.some(
    ({ code, subject }) => code === 'ROW_NOT_AUTHENTIC' && subject === `request:${requestId}`,
  );
};
const refused = fault('REQUEST_STATE_NOT_ALLOWED');
const issued = () => renewals.issued([Buffer.from('passport')]);

describe('a certificate that was renewed', () => {
  it.each(['CANCELLED', 'REFUSED', 'EXPIRED'])(
    'is not renewed again once the row of its renewal is %s',
    async (status) => {
      const former = await issued();
      const renewal = await renewals.renew(former);
      await renewals.issue(renewal);
      await change(renewal, `status = '${status}'`);
      await expect(renewals.renew(former)).rejects.toMatchObject(refused);
      expect(await isAlarmed(renewal)).toBe(true);
    },
  );

  it('nor with a step of its own in the timeline, or a status of the certificate', async () => {
    const former = await issued();
    const renewal = await renewals.renew(former);
    await renewals.issue(renewal);
    await change(renewal, `certificate_status = 'REVOKED'`);
    const elsewhere = 'partner_id = (select id from partner where id <> request.partner_id limit 1)';
    await expect(change(renewal, elsewhere)).rejects.toThrow('never change');
    await expect(renewals.renew(former)).rejects.toMatchObject(refused);
    await change(renewal, `status = 'CANCELLED'`);
    await addStep(renewal, 'CANCELLED');
    await expect(renewals.renew(former)).rejects.toMatchObject(refused);
    expect(await isAlarmed(renewal)).toBe(true);
  });

  it('nor by a renewal that is hidden', async () => {
    const former = await issued();
    const renewal = await renewals.renew(former);
    await expect(change(renewal, 'renewal_of = null')).rejects.toThrow('only move forward');
    await expect(change(renewal, 'renewal_number = renewal_number + 1')).rejects.toThrow('only move forward');
    await expect(renewals.renew(former)).rejects.toMatchObject(refused);
  });

  it('nor while another renewal, judged before that one was there, is kept from being written', async () => {
    const former = await issued();
    const reference = makeReference();
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    // Holds the reference until it rolls back.
    const holding = attacker.transaction(async (em) => {
      await em.execute(
        `insert into request select (jsonb_populate_record(null::request, to_jsonb(request) || jsonb_build_object(
           'id', gen_random_uuid(), 'reference_transaction', ?::text, 'claim_token_sha256', null))).*
         from request where id = ?`,
        [reference, former.requestId],
      );
      taken.resolve();
      await isOver;
      throw new Error('rolled back');
    });
    await taken.promise;
    const waiting = renewals.renew(former, false, reference);
    await pollFor(async () => {
      const blocked = await intake.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into request %'`,
      );
      return blocked.length > 0;
    });
    const renewal = await renewals.renew(former);
    await renewals.issue(renewal);
    await change(renewal, `status = 'CANCELLED'`);
    end();
    await expect(holding).rejects.toThrow('rolled back');
    await expect(waiting).rejects.toMatchObject(refused);
  });

  it('is renewed again after its renewal was ended, which then gets no certificate', async () => {
    const former = await issued();
    const renewal = await renewals.renew(former);
    await renewals.reaches(renewal, 'GENERATING');
    await change(renewal, `status = 'CANCELLED'`);
    await addStep(renewal, 'CANCELLED');
    await renewals.renew(former);
    await change(renewal, `certificate_status = 'REVOKED', status = 'GENERATING'`);
    await renewals.tellIssued(renewal);
    await pollFor(() => isAlarmed(renewal));
    const [row] = await intake.query<{ status: string }>('select status from intake.request where id = $1', [
      renewal,
    ]);
    expect(row?.status).toBe('GENERATING');
  });
});

describe('a certificate whose renewal takes its place', () => {
  const isRevoked = (requestId: string) => renewals.revoked.includes(renewals.serialOf(requestId));
  const isSuperseded = (requestId: string) =>
    pollFor(async () => isRevoked(requestId), { what: 'the former certificate revoked' });
  const dueOf = async (requestId: string) =>
    (
      await intake.query<{ due: string | null }>(
        'select supersede_due_at::text as due from intake.request where id = $1',
        [requestId],
      )
    )[0]?.due;
  const isDone = (requestId: string) =>
    pollFor(async () => (await dueOf(requestId)) === null, { what: 'the superseding done' });

  it.each(['null', `now() + interval '9 years'`])(
    'is revoked although its time was set to %s',
    async (due) => {
      const former = await issued();
      const renewal = await renewals.renew(former, true);
      await change(renewal, `supersede_due_at = ${due}`);
      await renewals.reaches(renewal, 'GENERATING');
      await change(renewal, `supersede_due_at = ${due}`);
      await renewals.issue(renewal);
      await change(renewal, `supersede_due_at = ${due}`);
      await isSuperseded(former.requestId);
      await isDone(renewal);
      const entries = await intake.query<{ mac: string | null }>(
        `select mac from intake.audit where target = $1 and action = 'certificates.supersede'`,
        [`request:${renewal}`],
      );
      expect(entries).toEqual([{ mac: expect.any(String) }]);
    },
  );

  it('is revoked although the row calls its renewal issued before it is', async () => {
    const former = await issued();
    const renewal = await renewals.renew(former, true);
    await renewals.reaches(renewal, 'GENERATING');
    await change(renewal, `status = 'GENERATED', serial_number = '00', fence = fence + 1`);
    await renewals.tellIssued(renewal);
    await pollFor(async () => renewals.asked.includes(renewal));
    await isSuperseded(former.requestId);
  });

  it('is revoked although its row names another serial number, with an alarm', async () => {
    const former = await issued();
    const renewal = await renewals.renew(former, true);
    await change(former.requestId, `serial_number = '00'`);
    await renewals.issue(renewal);
    await isSuperseded(former.requestId);
    expect(await isAlarmed(former.requestId)).toBe(true);
  });

  const addDue = (requestId: string, renewalOf: string) =>
    attacker.execute(
      `insert into request select (jsonb_populate_record(null::request, to_jsonb(request) || jsonb_build_object(
         'id', gen_random_uuid(), 'reference_transaction', gen_random_uuid(), 'claim_token_sha256', null,
         'renewal_of', ${renewalOf}, 'renewal_number', null, 'supersedes', true, 'supersede_due_at', '0001-02-01T00:00:00Z'))).*
       from request, generate_series(1, 100) where id = $1 returning id`,
      [requestId],
    );

  it('is revoked although rows that renew nothing are due before it: they are not looked at', async () => {
    const former = await issued();
    const renewal = await renewals.renew(former, true);
    const added = await addDue(former.requestId, 'null');
    await renewals.issue(renewal);
    await isSuperseded(former.requestId);
    const left = await intake.query(
      `delete from intake.request where supersede_due_at = '0001-02-01T00:00:00Z' returning 1`,
    );
    expect(left).toHaveLength(added.length);
  });

  it('is revoked although rows that claim to renew something are due before it, with an alarm', async () => {
    const former = await issued();
    const renewal = await renewals.renew(former, true);
    const [forged] = await addDue(former.requestId, 'gen_random_uuid()');
    await renewals.issue(renewal);
    await isSuperseded(former.requestId);
    await pollFor(() => isAlarmed(String(forged?.id)), { deadlineMs: 30_000 });
  });

  it('is superseded as it was registered, whatever the row says', async () => {
    const former = await issued();
    const renewal = await renewals.renew(former, true);
    await expect(change(renewal, 'supersedes = false')).rejects.toThrow('only move forward');
    await renewals.issue(renewal);
    await isSuperseded(former.requestId);
  });

  it('is revoked after an upgrade too, where the release before has registered the renewal', async () => {
    const former = await issued();
    const renewal = await renewals.renew(former, true);
    await renewals.reaches(renewal, 'GENERATING');
    await pollFor(async () => {
      const chained = await intake.query(
        `select from intake.audit where target = $1 and action = 'requests.approve' and chain_sequence is not null`,
        [`request:${renewal}`],
      );
      return chained.length > 0;
    });
    await using owner = createDatabase({
      ...{ url: intake.ground.service.ownerUrl, schema, entities: [], logger },
    });
    await owner.transaction(async (em) => {
      // Lets the row be written as that release has it.
      await em.execute(`update data_upgrade set ends_at = now() + interval '1 hour'`);
      await em.execute(
        `update request set supersedes = false, data_mac = null, decision = null, password_sha256 = null,
           evidence_sha256 = null where id = ?`,
        [renewal],
      );
    });
    await reopenAdoption(owner, 1);
    // A copy of this release begins with it; one that runs does so within 5 s.
    await pollFor(async () => {
      const adopted = await intake.query('select from intake.request where id = $1 and supersedes', [
        renewal,
      ]);
      return adopted.length > 0;
    });
    await renewals.issue(renewal);
    await isSuperseded(former.requestId);
    await isDone(renewal);
    await reopenAdoption(owner, 0);
  });
});
