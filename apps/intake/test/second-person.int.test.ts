import { createHash } from 'node:crypto';
import { administratorsStatementType } from '@rubrica/contracts/services/schemas/administrators';
import { canonicalJson } from '@rubrica/contracts/shared/canonical-json';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { createSweeper } from '@rubrica/database/sweeper';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { sweeperTasks } from '../src/sweeper-tasks.ts';
import { changeOperator, changePartner, ownDatabase } from './support/own-database.ts';
import { asOperator, partnerIds, runningIntake, secondAdministrator } from './support/running-intake.ts';

let aheadMs = 0;
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const clock = () => new Date(Date.now() + aheadMs);

/** Two administrators of whom one was made by the other, and an attacker with intake's role in the database alone. */
const intake = await disposeAfterAll(runningIntake({}, { clock }));
const attacker = await disposeAfterAll(
  createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger }),
);

const firstId = '01900000-0000-7000-8000-0000000000a1';
const secondId = secondAdministrator.operatorId;
const id = partnerIds.other;
const change = { id, reviewPolicy: 'automatic' } as const;
const first = (of = intake) => of.operators(asOperator('admin'));
const second = (of = intake) => of.operators(secondAdministrator);
const refusal = (appCode: unknown) => ({ data: { appCode } });
const madeBy = (operatorId: string, by: string, agoMs: number) =>
  changeOperator(intake.ground, operatorId, {
    madeBy: [{ operatorId: by, at: new Date(Date.now() - agoMs).toISOString(), action: 'promote' }],
  });

afterEach(async () => {
  aheadMs = 0;
  for (const operatorId of [firstId, secondId])
    await changeOperator(intake.ground, operatorId, { madeBy: [] });
  await intake.query('delete from intake.approval');
  await changePartner(intake.ground, id, { reviewPolicy: 'four-eyes' });
});

async function proposed(): Promise<string> {
  await changePartner(intake.ground, id, { reviewPolicy: 'four-eyes' });
  return (await first().partners.update.mutate(change)).approvalId ?? '';
}

describe('who has made the other an administrator', () => {
  it.each([
    ['the second, by the first', secondId, firstId],
    ['the first, by the second', firstId, secondId],
  ])('is no second person for seven days: %s', async (_what, made, by) => {
    const approval = await proposed();
    await madeBy(made, by, 7 * DAY_MS - 60_000);
    await expect(second().approvals.approve.mutate({ id: approval })).rejects.toMatchObject(
      refusal('FORBIDDEN'),
    );
    expect((await first().partners.get.query({ id })).reviewPolicy).toBe('four-eyes');
    aheadMs = 120_000;
    await second().approvals.approve.mutate({ id: approval });
    expect((await first().partners.get.query({ id })).reviewPolicy).toBe('automatic');
  });

  it('is one where a third person has done so', async () => {
    const approval = await proposed();
    await madeBy(secondId, uuidv7(), 0);
    await second().approvals.approve.mutate({ id: approval });
  });

  it.each([
    ['is said to be made by nobody', `made_by = '[]'`],
    [
      'is said to be made by another',
      `made_by = jsonb_set(made_by, '{0,operatorId}', to_jsonb(gen_random_uuid()))`,
    ],
    ['is said to be made long ago', `made_by = jsonb_set(made_by, '{0,at}', '"2020-01-01T00:00:00Z"')`],
  ])('is no administrator where the row %s in the database', async (_what, set) => {
    const approval = await proposed();
    await madeBy(secondId, firstId, 0);
    const [kept] = await intake.query<{ made_by: object; version: number; mac: string }>(
      'select made_by, version, mac from intake.operator where id = $1',
      [secondId],
    );
    await attacker.execute(`update operator set ${set} where id = $1`, [secondId]);
    await expect(second().approvals.approve.mutate({ id: approval })).rejects.toMatchObject(
      refusal('FORBIDDEN'),
    );
    await intake.query('update intake.operator set made_by = $2, version = $3, mac = $4 where id = $1', [
      secondId,
      JSON.stringify(kept?.made_by),
      kept?.version,
      kept?.mac,
    ]);
  });
});

describe('who may write to the tables of intake alone', () => {
  it('forges no proposal, digest and all, nor stands in the way of a true one', async () => {
    const before = await first().partners.get.query({ id });
    const real = await proposed();
    const [kept] = await intake.query<{ input: object; before: object; digest: string; mac: string }>(
      'select input, before, digest, mac from intake.approval',
    );
    const digest = createHash('sha256')
      .update(
        canonicalJson(
          JSON.stringify({ procedure: 'partners.update', input: kept?.input, before: kept?.before }),
        ),
      )
      .digest('hex');
    expect(digest).toBe(kept?.digest);
    await first().approvals.reject.mutate({ id: real });
    const forged = uuidv7();
    await attacker.execute(
      `insert into approval (id, procedure, input, before, after, digest, proposed_by, proposer_email, created_at,
         expires_at, version, mac)
       values ($1, 'partners.update', $2, $3, '{}', $4, $5, 'admin@example.com', now(), now() + interval '1 day', 1, $6)`,
      [forged, JSON.stringify(kept?.input), JSON.stringify(kept?.before), digest, firstId, kept?.mac],
    );
    const approval = { id: `intake.${forged}` };
    await expect(second().approvals.approve.mutate(approval)).rejects.toMatchObject(
      refusal('REQUEST_NOT_FOUND'),
    );
    expect((await second().approvals.list.query({})).items).toEqual([]);
    expect(await first().partners.get.query({ id })).toEqual(before);
    const { warnings } = await first().overview.query();
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'ROW_NOT_AUTHENTIC', subject: `approval:${forged}` }),
    );
    await second().approvals.approve.mutate({ id: await proposed() });
  });
});

it('what nobody has decided in 72 hours ends, and the audit log says so', async () => {
  const approval = await proposed();
  aheadMs = 3 * DAY_MS;
  const tasks = sweeperTasks({
    clock,
    retention: { issuedDays: 1, unissuedDays: 1 },
    timeZone: 'America/Guayaquil',
  }).filter(({ name }) => name === 'expire approvals');
  await using own = await ownDatabase(intake.ground);
  const sweeper = createSweeper({ database: own.database, tasks, logger });
  expect(await sweeper.sweep()).toEqual({ 'expire approvals': 1 });
  const [row] = await intake.query(
    `select actor, action, details ->> 'procedure' as procedure from intake.audit where target = $1
     order by id desc limit 1`,
    [`approval:${approval.split('.')[1]}`],
  );
  expect(row).toEqual({
    actor: 'service:intake',
    action: 'approvals.expire',
    procedure: 'partners.update',
  });
});

it('another service is told how two administrators stand, by their rows and not by any token', async () => {
  const terms = await intake.peer('terms');
  const asked = { operatorId: secondId, proposedBy: firstId, nonce: uuidv7() };
  const standing = () => terms.administrators.standing.query(asked);
  const { statement, ...told } = await standing();
  const stands = {
    isAdministrator: true,
    isProposerAdministrator: true,
    areIndependent: true,
    count: 2,
    takeTwo: true,
  };
  expect(told).toEqual(stands);
  const { claims } = (await intake.ground.peer('terms')).keyring.verifyStatement(statement ?? '', {
    type: administratorsStatementType,
    issuer: 'intake',
  });
  expect(claims).toMatchObject({ aud: 'terms', ...asked, ...stands });
  await changeOperator(intake.ground, secondId, { enabled: false });
  expect(await standing()).toMatchObject({ isAdministrator: false, areIndependent: false, count: 1 });
  await changeOperator(intake.ground, secondId, { enabled: true, role: 'reviewer' });
  expect(await standing()).toMatchObject({ isAdministrator: false });
  await changeOperator(intake.ground, secondId, { role: 'admin' });
  await madeBy(firstId, secondId, DAY_MS);
  expect(await standing()).toMatchObject({ isAdministrator: true, areIndependent: false });
});

it('with DUAL_CONTROL=off one administrator is enough, and the overview warns of it', async () => {
  await using alone = await runningIntake({ DUAL_CONTROL: 'off' });
  expect(await first(alone).partners.update.mutate(change)).toMatchObject({ reviewPolicy: 'automatic' });
  const { warnings, isSandbox } = await first(alone).overview.query();
  expect(isSandbox).toBe(true);
  expect(warnings.map(({ code }) => code)).toContain('DUAL_CONTROL_OFF');
});
