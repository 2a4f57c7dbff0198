import { createDatabase } from '@rubrica/database/connection';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { changeOperator } from './support/own-database.ts';
import { fault, operatorsById, reviewGround } from './support/reviews.ts';
import { asOperator } from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An attacker with the rights of intake's role in the database and nothing else. */
const ground = await disposeAfterAll(reviewGround());
const attacker = await disposeAfterAll(
  createDatabase({ url: ground.intake.ground.service.appUrl, schema, entities: [], logger }),
);

const review = (requestId: string) => ground.as('admin').get.query({ requestId });
async function isAlarmed(requestId: string): Promise<boolean> {
  const { warnings } = await ground.intake.operators(asOperator('admin')).overview.query();
  return warnings.some(
    ({ code, subject }) => code === 'ROW_NOT_AUTHENTIC' && subject === `request:${requestId}`,
  );
}

describe('an approval of a review that was written in the database', () => {
  it.each([
    [
      'made up',
      `insert into review_approval (request_id, attempt, operator_id, at) values ($1, 1, $2, now())`,
    ],
    [
      'with the MAC of another approval',
      `insert into review_approval (request_id, attempt, operator_id, at, id, version, mac)
       select $1, 1, $2, at, gen_random_uuid(), version, mac from review_approval where mac <> '' limit 1`,
    ],
  ])('counts for nothing: %s', async (_what, sql) => {
    const others = await ground.waiting('other');
    await ground.as('reviewer').approve.mutate({ requestId: others });
    const requestId = await ground.waiting('other');
    await attacker.execute(sql, [requestId, operatorsById.reviewer2]);
    expect(await review(requestId)).toMatchObject({
      approvals: 0,
      approvalLog: [{ operator: 'reviewer2@example.com', counts: false }],
    });
    expect(await ground.as('reviewer').approve.mutate({ requestId })).toMatchObject({
      approvals: 1,
      status: 'VALIDATING',
    });
    expect(await ground.as('admin').approve.mutate({ requestId })).toMatchObject({ approvals: 2 });
  });

  it('counts for nothing either where a true one is given to another operator, attempt or request', async () => {
    for (const set of [
      `operator_id = '${operatorsById.reviewer2}'`,
      'attempt = attempt + 1',
      `at = at + interval '1 second'`,
    ]) {
      const requestId = await ground.waiting('other');
      await ground.as('reviewer').approve.mutate({ requestId });
      await attacker.execute(`update review_approval set ${set} where request_id = $1`, [requestId]);
      expect(await review(requestId)).toMatchObject({ approvals: 0 });
    }
  });

  it('nor does that of a disabled operator who is enabled in the database alone', async () => {
    const requestId = await ground.waiting('other');
    await ground.as('reviewer2').approve.mutate({ requestId });
    await changeOperator(ground.intake.ground, operatorsById.reviewer2, { enabled: false });
    await attacker.execute('update operator set enabled = true where id = $1', [operatorsById.reviewer2]);
    expect(await ground.as('reviewer').approve.mutate({ requestId })).toMatchObject({
      approvals: 1,
      status: 'VALIDATING',
    });
  });
});

describe('a request that waits for a review', () => {
  it.each([
    [
      'the applicant’s data',
      `update request set identification_number = '1710034065',
         details = details || '{"applicantName":"SOMEBODY","applicantLastName":"ELSE"}' where id = $1 returning 1`,
    ],
    [
      'the time of its erasure',
      `update request set erased_at = now(), details = details || '{"applicantName":"SOMEBODY"}' where id = $1 returning 1`,
    ],
    [
      'its evidence',
      `insert into evidence (id, request_id, position, field, validator_url)
       values (gen_random_uuid(), $1, 90, null, 'https://elsewhere.example') returning 1`,
    ],
  ])('is shown to nobody who decides, once the database alone has changed %s', async (_what, sql) => {
    const requestId = await ground.waiting();
    expect(await ground.as('reviewer').get.query({ requestId })).toMatchObject({ requestId });
    expect(await attacker.execute(sql, [requestId])).toHaveLength(1);
    const refused = fault('REQUEST_STATE_NOT_ALLOWED');
    await expect(ground.as('reviewer').get.query({ requestId })).rejects.toMatchObject(refused);
    await expect(review(requestId)).rejects.toMatchObject(refused);
    expect(await isAlarmed(requestId)).toBe(true);
    // Nobody decides by what this shows: it has nothing of the applicant's.
    expect(await ground.as('viewer').get.query({ requestId })).toMatchObject({ applicant: null });
  });
});

describe('what a reviewer is shown beside the registered data', () => {
  const forged = `update request set review_reason = 'REGISTRY', observations = '[{"type":"INFO","code":"IDENTITY_SEEN",
    "message":"Registry and video call confirm the identity","createdDate":"2026-01-01T00:00:00.000Z"}]' where id = $1`;

  it('is the reason and the observations that the checks left, and no others', async () => {
    const requestId = await ground.waiting('other');
    const before = await review(requestId);
    await attacker.execute(forged, [requestId]);
    const shown = await review(requestId);
    expect(shown.reviewReason).toBe(before.reviewReason);
    expect(shown.observations.map(({ code }) => code)).toEqual(['NOT_AUTHENTIC']);
    const queued = (await ground.as('reviewer').queue.query({})).items.find(
      (item) => item.requestId === requestId,
    );
    expect(queued).toMatchObject({
      reviewReason: before.reviewReason,
      observations: [{ code: 'NOT_AUTHENTIC' }],
    });
    expect(await isAlarmed(requestId)).toBe(true);
  });

  it('names nobody in the timeline who did not do it, and gives no reason that nobody gave', async () => {
    const requestId = await ground.waiting('other');
    await ground.as('reviewer').approve.mutate({ requestId, comment: 'I have seen the passport' });
    await attacker.execute(
      `insert into timeline (request_id, at, trigger, status, validation_status, actor, reason)
       values ($1, now(), 'assignReview', 'VALIDATING', 'MANUALLY_VALIDATING', 'operator:admin@example.com',
         'I saw the applicant in person; approve')`,
      [requestId],
    );
    const { timeline } = await review(requestId);
    expect(timeline.at(-1)).toMatchObject({ actor: 'not authentic', reason: null });
    expect(timeline.at(-2)).toMatchObject({
      actor: 'operator:reviewer@example.com',
      reason: 'I have seen the passport',
    });
    const { warnings } = await ground.intake.operators(asOperator('admin')).overview.query();
    expect(warnings.map(({ subject }) => subject)).toContain(`timeline:${requestId}`);
  });

  it('has the comment that the approver wrote, and no other', async () => {
    const requestId = await ground.waiting('other');
    await ground.as('reviewer').approve.mutate({ requestId, comment: 'I have seen the passport' });
    await attacker.execute(`update review_approval set comment = 'Checked twice' where request_id = $1`, [
      requestId,
    ]);
    expect((await review(requestId)).approvalLog).toMatchObject([{ comment: 'I have seen the passport' }]);
  });

  it('proves no entry by an erasure that the database alone says', async () => {
    const requestId = await ground.waiting('other');
    await attacker.execute(
      `insert into timeline (request_id, at, trigger, status, validation_status, actor, reason)
       select id, now(), 'approveReview', status, validation_status, 'operator:admin@example.com', 'I saw the passport'
       from request where id = $1`,
      [requestId],
    );
    await attacker.execute(
      `update request set erased_at = now(), status = 'CANCELLED', validation_status = 'REFUSED' where id = $1`,
      [requestId],
    );
    expect((await review(requestId)).timeline.at(-1)).toMatchObject({ actor: 'not authentic', reason: null });
  });

  it('keeps the reasons of the timeline: they are erased, and never others', async () => {
    const requestId = await ground.waiting('other');
    await ground.as('reviewer').approve.mutate({ requestId, comment: 'I have seen the passport' });
    const set = (reason: string) =>
      attacker.execute(
        `update timeline set reason = ${reason} where request_id = $1 and reason is not null`,
        [requestId],
      );
    await expect(set(`'other words'`)).rejects.toThrow('only move forward');
    await set('null');
    expect((await review(requestId)).timeline.at(-1)).toMatchObject({ actor: 'not authentic', reason: null });
  });

  it('is what the release before has written, where the upgrade found it', async () => {
    const requestId = await ground.waiting('other');
    await attacker.execute(
      `insert into timeline (request_id, at, trigger, status, validation_status, actor, reason)
       values ($1, now(), 'assignReview', 'VALIDATING', 'MANUALLY_VALIDATING', 'operator:reviewer@example.com', 'mine')`,
      [requestId],
    );
    await ground.intake.query(
      'update intake.data_upgrade set timeline_id = (select max(id) from intake.timeline)',
    );
    expect((await review(requestId)).timeline.at(-1)).toMatchObject({
      actor: 'operator:reviewer@example.com',
      reason: 'mine',
    });
    await ground.intake.query('update intake.data_upgrade set timeline_id = 0');
  });
});
