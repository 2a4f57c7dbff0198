import { createDatabase } from '@rubrica/database/connection';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { addOperator } from './support/operators.ts';
import { asOperator, partnerIds, runningIntake, secondAdministrator } from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Rows that intake's role in the database adds on its own, to use up or to widen what administrators may do. */
const intake = await disposeAfterAll(runningIntake());
const attacker = await disposeAfterAll(
  createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger }),
);

const first = () => intake.operators(asOperator('admin'));
const second = () => intake.operators(secondAdministrator);

async function alarms(): Promise<(string | undefined)[]> {
  const { warnings } = await first().overview.query();
  return warnings.flatMap(({ code, subject }) => (code === 'ROW_NOT_AUTHENTIC' ? [subject] : []));
}

it('counts of changes by one administrator use up nothing, whatever time they say', async () => {
  const { operatorId } = await addOperator(intake, 'reviewer');
  await attacker.execute(
    `insert into alone_change (operator_id, procedure, at, entry_id)
     select (select id from operator where email = 'admin@example.com'), 'operators.disable', '2099-01-01', gen_random_uuid()
     from generate_series(1, 20)`,
  );
  const [dated] = await attacker.execute<{ ahead: number }>(
    'select count(*)::int as ahead from alone_change where at > clock_timestamp()',
  );
  expect(dated).toEqual({ ahead: 0 });
  expect((await first().operators.disable.mutate({ operatorId })).approvalId).toBeUndefined();
  expect((await alarms()).filter((subject) => subject?.startsWith('alone_change:'))).not.toEqual([]);
});

it('a true count that is copied counts once', async () => {
  const { operatorId } = await addOperator(intake, 'reviewer');
  await first().operators.disable.mutate({ operatorId });
  const copied = `insert into alone_change (operator_id, procedure, at, entry_id, version, mac)
    select operator_id, procedure, at, entry_id, version, mac from alone_change where mac <> ''`;
  await expect(attacker.execute(copied)).rejects.toThrow('unique');
});

it('changes that nobody has proposed leave room for those of an administrator', async () => {
  await attacker.execute(
    `insert into approval (id, procedure, input, after, digest, proposed_by, proposer_email, created_at, expires_at, mac)
     select gen_random_uuid(), 'partners.update', '{}', '{}', 'forged ' || n, gen_random_uuid(), 'x@example.com', now(),
       '2126-01-01', 'x' from generate_series(1, 2500) as n`,
  );
  const change = { id: partnerIds.other, email: 'elsewhere@example.com' };
  const { approvalId } = await first().partners.update.mutate(change);
  const { items } = await second().approvals.list.query({});
  expect(items.map(({ id }) => id)).toContain(approvalId);
});

it('one administrator proposes fifty changes and leaves room for those of the others', async () => {
  const propose = (admin: typeof first, n: number) =>
    admin().partners.update.mutate({ id: partnerIds.other, email: `x${n}@example.com` });
  const proposed: (string | undefined)[] = [];
  for (let n = 0; n < 49; n += 1) proposed.push((await propose(first, n)).approvalId);
  expect(new Set(proposed).size).toBe(49);
  await expect(propose(first, 50)).rejects.toMatchObject({ data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' } });
  expect((await propose(second, 51)).approvalId).toBeDefined();
});

it('administrators that nobody has made do not stand in for one of the last two', async () => {
  await attacker.execute(
    `insert into operator select (jsonb_populate_record(null::operator, to_jsonb(operator)
       || jsonb_build_object('id', gen_random_uuid(), 'email', 'ghost' || n || '@example.com'))).*
     from operator, generate_series(1, 3) as n where email = 'admin@example.com'`,
  );
  const { operatorId } = secondAdministrator;
  await expect(first().operators.disable.mutate({ operatorId })).rejects.toMatchObject({
    data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' },
  });
});

it('more counts than anybody can have made raise an alarm that names the administrator', async () => {
  const { operatorId } = await addOperator(intake, 'reviewer');
  const [admin] = await attacker.execute<{ id: string }>(
    `insert into alone_change (operator_id, procedure, at, entry_id)
     select (select id from operator where email = 'admin@example.com'), 'operators.disable', now(), gen_random_uuid()
     from generate_series(1, 2001) returning operator_id as id`,
  );
  await first()
    .operators.disable.mutate({ operatorId })
    .catch(() => undefined);
  expect(await alarms()).toContain(`alone_change:${admin?.id}`);
});

it('a thousand administrators that nobody has made hide none of those who were', async () => {
  await attacker.execute(
    `insert into operator select (jsonb_populate_record(null::operator, to_jsonb(operator) || jsonb_build_object(
       'id', ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 'email', 'crowd' || n || '@example.com'))).*
     from operator, generate_series(1, 1100) as n where email = 'admin@example.com'`,
  );
  const change = { id: partnerIds.other, email: 'reached@example.com' };
  const { approvalId = '' } = await second().partners.update.mutate(change);
  await first().approvals.approve.mutate({ id: approvalId });
  const owner = intake.ground.service.database;
  await owner.query(`delete from intake.operator where email like 'crowd%'`);
  await expect(attacker.execute(`delete from operator where email = 'admin@example.com'`)).rejects.toThrow(
    'only move forward',
  );
});

it('a row with a time that no calendar has is refused', async () => {
  for (const table of ['operator', 'partner', 'webhook_secret'])
    await expect(
      attacker.execute(`insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t)
        || jsonb_build_object('id', gen_random_uuid(), 'created_at', 'infinity'))).* from ${table} as t limit 1`),
    ).rejects.toThrow(`${table}_times`);
});

it('a row that is too large to be looked at is refused', async () => {
  const large = `insert into operator (id, email, role, enabled, made_by, password_hash)
    values (gen_random_uuid(), 'large@example.com', 'viewer', false, '[]', repeat('x', 270000000))`;
  await expect(attacker.execute(large)).rejects.toThrow('operator_sizes');
});

it('a row whose numbers are at their end is refused, inserted or changed: it would fail each statement that counts them up', async () => {
  for (const [table, column] of [
    ['operator', 'version'],
    ['operator', 'gen'],
    ['partner', 'version'],
    ['webhook_secret', 'version'],
  ] as const) {
    const add = (value: number) =>
      attacker.execute(`insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t)
        || jsonb_build_object('id', gen_random_uuid(), '${column}', ${value}))).* from ${table} as t limit 1`);
    await expect(add(2_147_483_647)).rejects.toThrow('one by one');
    await expect(add(1_073_741_824)).rejects.toThrow('one by one');
    await expect(add(-1)).rejects.toThrow(/within_bounds|check constraint/);
    await expect(attacker.execute(`update ${table} set ${column} = 2147483647`)).rejects.toThrow(
      'one by one',
    );
  }
});
