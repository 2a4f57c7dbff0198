import { disposeAfterAll } from '@rubrica/testkit';
import { freePort } from '@rubrica/testkit/processes';
import { expect, it } from 'vitest';
import { operatorCalls } from '../../bench/stored/calls.ts';
import { knownValues, startStored } from '../../bench/stored/stored-stack.ts';
import { watchPlans } from '../../bench/stored/watch-plans.ts';

const requests = 2_000;
/** So that a table of two thousand rows is read as one of two million is: by an index wherever there is one. */
const planner = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_bitmapscan: 'off',
};

const stack = await disposeAfterAll(
  startStored({ requests, port: await freePort(), planner }, () => undefined),
);
const statements = await watchPlans(stack, {
  calls: operatorCalls(await knownValues(stack.client)),
  repeats: 7,
  // A page of each combination of states, and less than all.
  mostRows: requests / 2,
  backgroundMs: 80_000,
});

const count = async (table: string) =>
  Number((await stack.client.query(`select count(*) as count from ${table}`)).rows[0].count);

it('what years leave behind is stored in every service', async () => {
  expect(await count("intake.request where reference_transaction like 'STORED-%'")).toBe(requests);
  for (const table of ['intake.timeline', 'generation.certificate', 'notifier.delivery'])
    expect(await count(table)).toBeGreaterThan(requests / 2);
  for (const table of ['intake.outbox', 'intake.message', 'notifier.message', 'notifier.delivery_attempt'])
    expect(await count(table)).toBeGreaterThan(0);
  expect(await count("intake.audit where chain_sequence is null and at < now() - interval '1 hour'")).toBe(0);
});

it('no statement of calls, registrations, sweepers and retention reads more, the more is stored', () => {
  const seen = new Set(statements.map(({ of }) => of));
  for (const name of ['requests.search a family, page 20', 'overview', 'a registration', 'when nobody calls'])
    expect(seen).toContain(name);
  expect(statements.length).toBeGreaterThan(80);
  expect(statements.filter(({ findings }) => findings.length > 0)).toEqual([]);
});
