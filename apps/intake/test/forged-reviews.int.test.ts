import { createDatabase, type Database } from '@rubrica/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { changeOperator } from './support/own-database.ts';
import { fault, operatorsById, type ReviewGround, reviewGround } from './support/reviews.ts';
import { asOperator } from './support/running-intake.ts';

/** An attacker with the rights of intake's role in the database and nothing else. */
let ground: ReviewGround;
let attacker: Database;
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

beforeAll(async () => {
  ground = await reviewGround();
  attacker = createDatabase({ url: ground.intake.ground.service.appUrl, schema, entities: [], logger });
});
afterAll(async () => {
  await attacker?.close();
  await ground?.[Symbol.asyncDispose]();
});

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
