import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { fault, reviewGround } from './support/reviews.ts';
import { asOperator, partnerIds } from './support/running-intake.ts';

/** Needs manual review, in every family. */
const number = '2450001504';
const masked = '******1504';
const ground = await disposeAfterAll(reviewGround());
const requestId = await ground.waiting();
// What an operator writes by hand is not kept from holding a number.
await ground.as('reviewer').assign.mutate({ requestId, comment: `asked ${number} to come, of ${number}001` });

const as = (role: 'viewer' | 'reviewer' | 'admin') => ground.intake.operators(asOperator(role));

async function everythingAbout(role: 'viewer' | 'reviewer') {
  const { requests, reviews, audit } = as(role);
  return {
    search: await requests.search.query({ limit: 100 }),
    get: await requests.get.query({ requestId }),
    timeline: await requests.timeline.query({ requestId }),
    queue: await reviews.queue.query({ limit: 100 }),
    review: await reviews.get.query({ requestId }),
    audit: await audit.list.query({ service: 'intake', limit: 100 }),
  };
}

describe('identification numbers', () => {
  it('are masked for a viewer in every answer, and whole for a reviewer', async () => {
    const whole = await everythingAbout('reviewer');
    for (const place of ['search', 'timeline', 'queue', 'review', 'audit'] as const)
      expect(JSON.stringify(whole[place]), place).toContain(number);
    const shown = await everythingAbout('viewer');
    expect(JSON.stringify(shown)).not.toContain(number);
    for (const { items } of [shown.search, shown.queue])
      expect(items.find((row) => row.requestId === requestId)).toMatchObject({
        identificationNumber: masked,
      });
    expect(shown.timeline.items.at(-1)?.reason).toBe(`asked ${masked} to come, of *********4001`);
  });

  it('are nothing that a viewer may search by', async () => {
    const search = { identificationNumber: number, partnerId: partnerIds.sandbox };
    await expect(as('viewer').requests.search.query(search)).rejects.toMatchObject(fault('FORBIDDEN'));
    const { items } = await as('reviewer').requests.search.query(search);
    expect(items.map((row) => row.requestId)).toContain(requestId);
  });
});

it('whoever reads of an applicant is written down with it, without what was asked by', async () => {
  const { requests, reviews } = as('reviewer');
  const actor = 'operator:reviewer@example.com';
  const last = async (action: string) => {
    const { items } = await as('admin').audit.list.query({ service: 'intake', actor, action, limit: 1 });
    return items[0];
  };
  await requests.get.query({ requestId });
  expect(await last('requests.get')).toMatchObject({ target: `request:${requestId}`, requestId });
  await reviews.get.query({ requestId });
  expect(await last('reviews.get')).toMatchObject({ target: `request:${requestId}`, requestId });
  await ground.waiting();
  for (const [action, read] of [
    ['requests.search', () => requests.search.query({ identificationNumber: number })],
    ['requests.holdings', () => requests.holdings.query({ identificationNumber: number })],
    ['reviews.queue', () => reviews.queue.query({})],
  ] as const) {
    await read();
    const entry = await last(action);
    expect(entry).toMatchObject({ target: 'requests', details: { requestIds: expect.any(Array) } });
    expect(entry?.details.requestIds).toContain(requestId);
    expect(JSON.stringify(entry)).not.toContain(number);
  }
  expect((await last('requests.search'))?.details.askedBy).toEqual(['identificationNumber']);
});

it('what cannot be written down is not shown', async () => {
  const [{ role } = { role: '' }] = await ground.intake.query<{ role: string }>(
    `select grantee as role from information_schema.role_table_grants
     where table_schema = 'intake' and table_name = 'outbox' and privilege_type = 'SELECT' and grantee <> grantor`,
  );
  await ground.intake.query(`revoke insert on intake.audit from "${role}"`);
  await expect(as('reviewer').requests.get.query({ requestId })).rejects.toMatchObject(
    fault('INTERNAL_ERROR'),
  );
  await ground.intake.query(`grant insert on intake.audit to "${role}"`);
  expect(await as('reviewer').requests.get.query({ requestId })).toMatchObject({ requestId });
});
