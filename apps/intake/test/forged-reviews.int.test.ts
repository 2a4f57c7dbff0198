import { createDatabase, type Database } from '@rubrica/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { changeOperator } from './support/own-database.ts';
import { operatorsById, type ReviewGround, reviewGround } from './support/reviews.ts';

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
