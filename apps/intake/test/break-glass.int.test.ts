import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { HOUR_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { breakGlassOperator } from '../src/access/operators/break-glass-operator.ts';
import { letterOf, linkCalls, newestLetter } from './support/links.ts';
import type { PlayedOperator } from './support/operators.ts';
import { changeOperator } from './support/own-database.ts';
import { asOperator, partnerIds, runningIntake, secondAdministrator } from './support/running-intake.ts';

const program = new URL('../src/main.ts', import.meta.url);
const consoleUrl = 'https://console.example.com';
const firstId = '01900000-0000-7000-8000-0000000000a1';
let aheadMs = 0;

const clock = () => new Date(Date.now() + aheadMs);
const intake = await disposeAfterAll(runningIntake({ CONSOLE_URL: consoleUrl }, { clock }));

const second = () => intake.operators(secondAdministrator);
const refusal = (appCode: string) => ({ data: { appCode } });

/** Runs the command as whoever has the owner's rights. @returns the token of the link that it prints */
async function breakGlass(): Promise<string> {
  const said = await intake.ground.provision(program, { command: 'break-glass' });
  const [, token = ''] = /^https:\/\/console\.example\.com\/invitation#([\w-]+)$/m.exec(said) ?? [];
  return token;
}

/** As whoever has opened the link. */
async function opened(token: string) {
  const session = await (await linkCalls(intake, token)).accept({});
  const [row] = await intake.query<{ id: string; gen: number }>(
    `select id, gen from intake.operator_session where operator_id = $1 order by created_at desc limit 1`,
    [breakGlassOperator.id],
  );
  const caller = {
    kind: 'operator',
    operatorId: breakGlassOperator.id,
    email: breakGlassOperator.email,
    role: 'admin',
    session: { id: row?.id ?? '', scope: 'breakGlass' },
  } satisfies PlayedOperator;
  return { session, operators: intake.operators(caller) };
}

describe('the break-glass command', () => {
  it('prints a link that is audited before it is made, and mailed to all administrators', async () => {
    const token = await breakGlass();
    expect(token).toHaveLength(43);
    const rows = await intake.query<{ actor: string; action: string }>(
      `select actor, action from intake.audit where action = 'operators.breakGlass'`,
    );
    expect(rows).toEqual([
      { actor: expect.stringMatching(/^machine:.+@.+/), action: 'operators.breakGlass' },
    ]);
    for (const email of ['admin@example.com', 'operator2@example.com']) {
      const { message } = await newestLetter(intake, email);
      expect(message).toMatchObject({ template: 'break-glass', linkPrefix: `${consoleUrl}/audit#` });
      expect((await letterOf(intake, message.messageId)).token).not.toContain(token);
    }
    expect(await intake.outbox('jobs.mail.send')).toHaveLength(2);
  });

  it('prints one that works once, for 15 minutes, and opens a session of an hour', async () => {
    const late = await linkCalls(intake, await breakGlass());
    aheadMs = 15 * MINUTE_MS + 1_000;
    await expect(late.accept({})).rejects.toMatchObject(refusal('UNAUTHENTICATED'));
    aheadMs = 0;
    const token = await breakGlass();
    const { session } = await opened(token);
    expect(session).toMatchObject({ role: 'admin', scope: 'breakGlass' });
    const [row] = await intake.query<{ life: number }>(
      `select extract(epoch from expires_at - created_at)::int * 1000 as life from intake.operator_session
       where operator_id = $1`,
      [breakGlassOperator.id],
    );
    expect(row).toEqual({ life: HOUR_MS });
    await expect(opened(token)).rejects.toMatchObject(refusal('UNAUTHENTICATED'));
  });

  it('does nothing for who has no rights of the owner', async () => {
    const { env, service } = intake.ground;
    const asIntake = { ...env, DATABASE_OWNER_URL: service.appUrl };
    const run = promisify(execFile)(process.execPath, [fileURLToPath(program), 'break-glass'], {
      env: asIntake,
    });
    await expect(run).rejects.toThrow('DATABASE_OWNER_URL is not of the role that owns the schema');
    expect(
      await intake.query('select from intake.audit where action = $1', ['operators.breakGlass']),
    ).toHaveLength(3);
  });
});

describe('a break-glass session', () => {
  it('counts as one person where there are two administrators: one of them approves', async () => {
    const { operators } = await opened(await breakGlass());
    const answer = await operators.operators.invite.mutate({ email: 'new1@example.com', role: 'admin' });
    const id = 'approvalId' in answer ? answer.approvalId : '';
    expect(await intake.query(`select from intake.operator where email = 'new1@example.com'`)).toEqual([]);
    await second().approvals.approve.mutate({ id });
    expect((await newestLetter(intake, 'new1@example.com')).message).toMatchObject({
      template: 'operator-invitation',
    });
  });

  it('is enough alone while there are fewer than two', async () => {
    const { operators } = await opened(await breakGlass());
    await changeOperator(intake.ground, firstId, { enabled: false });
    try {
      const enabled = await operators.operators.enable.mutate({
        operatorId: firstId,
        reason: 'both were away',
      });
      expect(enabled).toMatchObject({ enabled: true });
      expect(enabled.approvalId).toBeUndefined();
      const again = await operators.operators.resetFactors.mutate({ operatorId: firstId });
      expect(again.approvalId).toEqual(expect.any(String));
    } finally {
      await changeOperator(intake.ground, firstId, { enabled: true });
      await intake.query('delete from intake.approval');
    }
  });

  it('may do nothing else', async () => {
    const { operators } = await opened(await breakGlass());
    const operatorId = firstId;
    const calls = [
      () => operators.partners.update.mutate({ id: partnerIds.other, name: 'x' }),
      () => operators.operators.disable.mutate({ operatorId }),
      () => operators.operators.changeRole.mutate({ operatorId, role: 'viewer' }),
      () => operators.approvals.list.query({}),
      () => operators.requests.search.query({}),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(refusal('FORBIDDEN'));
    expect((await operators.operators.list.query({})).items.length).toBeGreaterThan(1);
  });

  it('is no third administrator, and cannot be made an operator for good', async () => {
    await breakGlass();
    const { operatorId } = { operatorId: firstId };
    await expect(second().operators.disable.mutate({ operatorId })).rejects.toMatchObject(
      refusal('REQUEST_STATE_NOT_ALLOWED'),
    );
    const own = { operatorId: breakGlassOperator.id };
    await expect(second().operators.resetFactors.mutate(own)).rejects.toMatchObject(
      refusal('REQUEST_STATE_NOT_ALLOWED'),
    );
    expect(await intake.operators(asOperator('admin')).operators.disable.mutate(own)).toMatchObject({
      enabled: false,
      invitation: null,
    });
  });
});

it('a link is printed also where the row of an administrator was written past this service', async () => {
  const email = 'admin@example.com';
  await intake.query('update intake.operator set email = $1 where id = $2', ['thief@example.com', firstId]);
  const mailed = (await intake.outbox('jobs.mail.send')).length;
  expect(await breakGlass()).toHaveLength(43);
  expect(await intake.outbox('jobs.mail.send')).toHaveLength(mailed + 1);
  await intake.query('update intake.operator set email = $1 where id = $2', [email, firstId]);
});

it('a link is printed also where another row has the id of the break-glass operator', async () => {
  await intake.query(
    `update intake.operator set email = 'thief@example.com', mac = 'x', version = version + 1 where id = $1`,
    [breakGlassOperator.id],
  );
  expect(await breakGlass()).toHaveLength(43);
  const [row] = await intake.query<{ email: string }>('select email from intake.operator where id = $1', [
    breakGlassOperator.id,
  ]);
  expect(row?.email).toBe(breakGlassOperator.email);
});

it('a link is printed also where another row has its address', async () => {
  await intake.query('update intake.operator set email = $1, version = version + 1 where id = $2', [
    'elsewhere@example.com',
    breakGlassOperator.id,
  ]);
  await intake.query(
    `insert into intake.operator (id, email, role) values (gen_random_uuid(), $1, 'admin')`,
    [breakGlassOperator.email],
  );
  expect(await breakGlass()).toHaveLength(43);
  const found = await intake.query<{ id: string }>('select id from intake.operator where email = $1', [
    breakGlassOperator.email,
  ]);
  expect(found).toEqual([{ id: breakGlassOperator.id }]);
});
