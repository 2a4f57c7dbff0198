import { disposeAfterAll } from '@rubrica/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { outcome } from './support/operator-session.ts';
import { addOperator, type PlayedOperator } from './support/operators.ts';
import { changeOperator, ownDatabase } from './support/own-database.ts';
import {
  asOperator,
  byTwo,
  partnerIds,
  runningIntake,
  secondAdministrator,
} from './support/running-intake.ts';

const intake = await disposeAfterAll(runningIntake());
/** Beside the two of the seed, and long there. */
const third = await addOperator(intake, 'admin');
const viewer = await addOperator(intake, 'viewer');

const firstId = '01900000-0000-7000-8000-0000000000a1';
const secondId = secondAdministrator.operatorId;
const as = (operator: PlayedOperator) => intake.operators(operator);
const first = () => intake.operators(asOperator('admin'));
const second = () => as(secondAdministrator);
const refusal = (appCode: string) => ({ data: { appCode } });
const set = (operatorId: string, change: object) => changeOperator(intake.ground, operatorId, change);

/** Administrators of one test, as each is counted on its own. */
const passing: PlayedOperator[] = [];
async function addAdministrator(): Promise<PlayedOperator> {
  const administrator = await addOperator(intake, 'admin');
  passing.push(administrator);
  return administrator;
}

afterEach(async () => {
  for (const { operatorId } of passing.splice(0)) await set(operatorId, { enabled: false });
  for (const operatorId of [firstId, secondId, third.operatorId])
    await set(operatorId, { enabled: true, role: 'admin', madeBy: [] });
  await set(viewer.operatorId, { enabled: true, role: 'viewer', madeBy: [] });
  await intake.query('delete from intake.approval');
});

describe('the list of operators', () => {
  it('shows administrators who there is, newest first, and nothing of passwords', async () => {
    const { items } = await first().operators.list.query({});
    expect(items.map(({ email }) => email)).toEqual([
      viewer.email,
      third.email,
      'operator2@example.com',
      'admin@example.com',
    ]);
    expect(items[0]).toEqual({
      operatorId: viewer.operatorId,
      email: viewer.email,
      role: 'viewer',
      enabled: true,
      createdAt: expect.any(String),
      signsInAt: 'here',
      invitation: null,
    });
    const admins = await first().operators.list.query({ role: 'admin', limit: 1 });
    expect(admins.items).toMatchObject([{ operatorId: third.operatorId }]);
    const next = await first().operators.list.query({ role: 'admin', cursor: admins.nextCursor ?? '' });
    expect(next.items).toHaveLength(2);
  });

  it('is for administrators alone', async () => {
    const { operatorId } = viewer;
    for (const role of ['viewer', 'reviewer'] as const) {
      const { operators } = intake.operators(asOperator(role));
      const calls = [
        () => operators.list.query({}),
        () => operators.get.query({ operatorId }),
        () => operators.disable.mutate({ operatorId }),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject(refusal('FORBIDDEN'));
    }
  });
});

describe('one administrator alone', () => {
  it('disables an operator, whose access tokens end with it', async () => {
    const reviews = as({ ...viewer, gen: 1 } as never);
    await reviews.partners.list.query({});
    const { operatorId } = viewer;
    expect(await first().operators.disable.mutate({ operatorId, reason: 'left' })).toMatchObject({
      operatorId,
      enabled: false,
    });
    await expect(reviews.partners.list.query({})).rejects.toMatchObject(refusal('UNAUTHENTICATED'));
    const [row] = await intake.query(
      `select actor, action, reason from intake.audit where target = $1 order by id desc limit 1`,
      [`operator:${operatorId}`],
    );
    expect(row).toEqual({
      actor: 'operator:admin@example.com',
      action: 'operators.disable',
      reason: 'left',
    });
    await set(operatorId, { enabled: true });
    await expect(reviews.partners.list.query({})).rejects.toMatchObject(refusal('UNAUTHENTICATED'));
  });

  it('demotes an administrator, who is one no more at once', async () => {
    const demoted = await addOperator(intake, 'admin');
    const admin = as({ ...demoted, gen: 1 } as never);
    await admin.operators.list.query({});
    const { operatorId } = demoted;
    expect(await first().operators.changeRole.mutate({ operatorId, role: 'reviewer' })).toMatchObject({
      role: 'reviewer',
    });
    await expect(admin.operators.disable.mutate({ operatorId: viewer.operatorId })).rejects.toMatchObject(
      refusal('UNAUTHENTICATED'),
    );
  });

  it.each([
    ['disables', { role: 'viewer', enabled: true }, { enabled: false }],
    ['demotes', { role: 'admin', enabled: true }, { role: 'viewer' }],
  ] as const)('%s five within an hour, and the sixth with a second one', async (_what, before, after) => {
    const by = await addAdministrator();
    const others: PlayedOperator[] = [];
    const add = () => (before.role === 'admin' ? addAdministrator() : addOperator(intake, before.role));
    for (let count = 0; count < 6; count++) others.push(await add());
    const { operators } = as(by);
    const changeOne = ({ operatorId }: PlayedOperator) =>
      'role' in after
        ? operators.changeRole.mutate({ operatorId, role: after.role })
        : operators.disable.mutate({ operatorId });
    const answers = [];
    for (const other of others) answers.push(await changeOne(other));
    const [sixth, ...five] = answers.reverse();
    for (const done of five) expect(done).toMatchObject(after);
    expect(sixth).toMatchObject({ ...before, approvalId: expect.any(String) });
    const approval = { id: sixth?.approvalId ?? '' };
    await expect(as(by).approvals.approve.mutate(approval)).rejects.toMatchObject(refusal('FORBIDDEN'));
    expect((await second().approvals.approve.mutate(approval)).result).toMatchObject(after);
  });

  it('stops five partners within an hour, and the sixth with a second one; other settings are not counted', async () => {
    const { partners } = as(await addAdministrator());
    const id = partnerIds.other;
    const update = (change: object) => partners.update.mutate({ id, ...change });
    for (let count = 0; count < 7; count++)
      expect((await update({ name: `Other ${count}` })).approvalId).toBeUndefined();
    for (let limit = 105; limit > 100; limit--)
      expect((await update({ quota: { TRADITIONAL_SIGNATURE: limit } })).approvalId).toBeUndefined();
    expect(await update({ enabled: false })).toMatchObject({ enabled: true, approvalId: expect.any(String) });
    expect((await update({ quota: {} })).approvalId).toBeUndefined();
  });

  it('ends the sessions of operators twenty times within an hour, and then with a second one', async () => {
    const { operators } = as(await addAdministrator());
    const { operatorId } = viewer;
    for (let count = 0; count < 20; count++)
      expect(await operators.endSessions.mutate({ operatorId })).toEqual({ ended: 0 });
    expect(await operators.endSessions.mutate({ operatorId })).toEqual({
      ended: 0,
      approvalId: expect.any(String),
    });
  });

  it('revokes twenty API tokens within an hour, and then with a second one', async () => {
    const { tokenId } = (await byTwo(intake, ({ partners }) =>
      partners.issueToken.mutate({
        id: partnerIds.other,
        name: 'one',
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      }),
    )) as { tokenId: string };
    const { partners } = as(await addAdministrator());
    for (let count = 0; count < 20; count++)
      expect(await partners.revokeToken.mutate({ tokenId })).toMatchObject({ revokedAt: expect.any(String) });
    expect(await partners.revokeToken.mutate({ tokenId })).toMatchObject({
      id: partnerIds.other,
      approvalId: expect.any(String),
    });
  });

  it('neither enables nor promotes anybody', async () => {
    const { operatorId } = viewer;
    await set(operatorId, { enabled: false });
    for (const answer of [
      await first().operators.enable.mutate({ operatorId }),
      await first().operators.changeRole.mutate({ operatorId, role: 'reviewer' }),
    ]) {
      expect(answer).toMatchObject({ enabled: false, role: 'viewer', approvalId: expect.any(String) });
    }
    expect(await first().operators.get.query({ operatorId })).toMatchObject({
      enabled: false,
      role: 'viewer',
    });
  });

  it.each([
    [
      'changes the role of',
      (id: string) => first().operators.changeRole.mutate({ operatorId: id, role: 'viewer' }),
    ],
    ['disables', (id: string) => first().operators.disable.mutate({ operatorId: id })],
    ['enables', (id: string) => first().operators.enable.mutate({ operatorId: id })],
  ])('never %s himself', async (_what, change) => {
    await expect(change(firstId)).rejects.toMatchObject(refusal('FORBIDDEN'));
    expect(await second().operators.get.query({ operatorId: firstId })).toMatchObject({
      enabled: true,
      role: 'admin',
    });
  });
});

describe('two administrators', () => {
  it('enable an operator, but not where the one who approves is the one it is about', async () => {
    const { operatorId } = viewer;
    await set(operatorId, { enabled: false });
    expect(await byTwo(intake, ({ operators }) => operators.enable.mutate({ operatorId }))).toMatchObject({
      enabled: true,
    });
    await set(secondId, { role: 'reviewer' });
    const { approvalId: id = '' } = await first().operators.changeRole.mutate({
      operatorId: secondId,
      role: 'admin',
    });
    await set(secondId, { role: 'admin' });
    await expect(second().approvals.approve.mutate({ id })).rejects.toMatchObject(refusal('FORBIDDEN'));
  });

  it('promote an operator, who then approves nothing that either of them proposes', async () => {
    const { operatorId } = viewer;
    await byTwo(intake, ({ operators }) => operators.changeRole.mutate({ operatorId, role: 'admin' }));
    const made = as({ ...viewer, role: 'admin' });
    const email = `new-${Date.now()}@example.com`;
    for (const propose of [first, second]) {
      await intake.query('delete from intake.approval');
      const { approvalId: id = '' } = await propose().partners.update.mutate({ id: partnerIds.other, email });
      await expect(made.approvals.approve.mutate({ id })).rejects.toMatchObject(refusal('FORBIDDEN'));
    }
    await intake.query('delete from intake.approval');
    const { approvalId: id = '' } = await as(third).partners.update.mutate({ id: partnerIds.other, email });
    await made.approvals.approve.mutate({ id });
  });
});

describe('the last two enabled administrators', () => {
  it.each([
    ['disabled', (id: string) => first().operators.disable.mutate({ operatorId: id })],
    ['demoted', (id: string) => first().operators.changeRole.mutate({ operatorId: id, role: 'reviewer' })],
  ])('are not %s', async (_what, change) => {
    await set(third.operatorId, { enabled: false });
    await expect(change(secondId)).rejects.toMatchObject({
      message: expect.stringContaining('Only two administrators are enabled'),
      data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' },
    });
    expect(await first().operators.get.query({ operatorId: secondId })).toMatchObject({
      enabled: true,
      role: 'admin',
    });
    await first().operators.disable.mutate({ operatorId: viewer.operatorId });
  });

  it('of three, one of two who disable each other at the same moment is disabled, and the other told so', async () => {
    await using own = await ownDatabase(intake.ground);
    const waiting = async () => {
      const [row] = await intake.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.count;
    };
    const each = await own.database.transaction(async (em) => {
      // Until both wait: each for what the other would have locked already.
      await em.execute('select 1 from operator where id in (?, ?) for share', [firstId, secondId]);
      const calls = [
        outcome(first().operators.disable.mutate({ operatorId: secondId })),
        outcome(second().operators.disable.mutate({ operatorId: firstId })),
      ];
      await expect.poll(waiting, { timeout: 20_000 }).toBe(2);
      return calls;
    });
    expect((await Promise.all(each)).sort()).toEqual(['FORBIDDEN', 'answered']);
  });

  it('are two also where three disable each other at the same moment', async () => {
    const ring = [
      first().operators.disable.mutate({ operatorId: secondId }),
      second().operators.disable.mutate({ operatorId: third.operatorId }),
      as(third).operators.disable.mutate({ operatorId: firstId }),
    ];
    await Promise.allSettled(ring);
    const [row] = await intake.query(
      `select count(*)::int as count from intake.operator where enabled and role = 'admin'`,
    );
    expect(row).toEqual({ count: 2 });
  });
});
