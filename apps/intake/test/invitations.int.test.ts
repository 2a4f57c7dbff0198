import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { asProduction, disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { letterOf, linkCalls, newestLetter, signIn } from './support/links.ts';
import { addOperator } from './support/operators.ts';
import { enrolledPasskey, passkeyChallenge, signInByPasskey } from './support/passkeys.ts';
import {
  asOperator,
  byTwo,
  partnerIds,
  runningIntake,
  secondAdministrator,
} from './support/running-intake.ts';

let aheadMs = 0;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const consoleUrl = 'https://console.example.com';

const clock = () => new Date(Date.now() + aheadMs);
const intake = await disposeAfterAll(runningIntake({ CONSOLE_URL: `${consoleUrl}/` }, { clock }));
/** With intake's role in the database alone. */
const attacker = await disposeAfterAll(
  createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger: silent }),
);

beforeEach(async () => {
  aheadMs = 0;
  await intake.query('truncate intake.sign_in_attempt');
});

const first = () => intake.operators(asOperator('admin'));
const second = () => intake.operators(secondAdministrator);
const refusal = (appCode: string) => ({ data: { appCode } });
const ended = refusal('UNAUTHENTICATED');
const password = 'a long password of mine';
let people = 0;
const newEmail = () => `Person${++people}@example.com`;

async function invited(role: 'viewer' | 'reviewer' | 'admin' = 'reviewer', email = newEmail()) {
  const made = await byTwo(intake, ({ operators }) =>
    operators.invite.mutate({ email, role, reason: 'new' }),
  );
  const letter = await newestLetter(intake, email.toLowerCase());
  return { ...made, email: email.toLowerCase(), token: letter.token ?? '', message: letter.message };
}

describe('an invitation', () => {
  it('takes two administrators, and nothing is mailed before the second approves it', async () => {
    const email = newEmail();
    const answer = await first().operators.invite.mutate({ email, role: 'viewer' });
    expect(answer).toEqual({ approvalId: expect.any(String) });
    const id = 'approvalId' in answer ? answer.approvalId : '';
    expect(
      await intake.query('select from intake.operator_letter where recipient ilike $1', [email]),
    ).toEqual([]);
    await expect(first().approvals.approve.mutate({ id })).rejects.toMatchObject(refusal('FORBIDDEN'));
    const { result } = await second().approvals.approve.mutate({ id });
    expect(result).toMatchObject({
      email: email.toLowerCase(),
      role: 'viewer',
      enabled: false,
      invitation: { kind: 'invite', expiresAt: expect.any(String) },
    });
    const [job] = (await intake.outbox('jobs.mail.send')).slice(-1);
    const { message } = await letterOf(intake, job?.messageId ?? '');
    expect(message).toMatchObject({
      to: email.toLowerCase(),
      template: 'operator-invitation',
      language: 'es',
      requestId: null,
      partnerName: 'operator2@example.com',
      linkPrefix: `${consoleUrl}/invitation#`,
    });
  });

  it('lets its owner choose a password by the link, once, and sign in with it', async () => {
    const { email, token } = await invited('admin');
    await expect(signIn(intake, email, password)).rejects.toMatchObject(ended);
    const link = await linkCalls(intake, token);
    expect(await link.read()).toMatchObject({ email, role: 'admin', kind: 'invite' });
    for (const wrong of [undefined, 'short'])
      await expect(link.accept({ password: wrong })).rejects.toMatchObject(refusal('FIELD_INVALID'));
    expect(await link.accept({ password })).toMatchObject({ role: 'admin', scope: 'full' });
    expect(await signIn(intake, email, password)).toBe('admin');
    await expect(link.read()).rejects.toMatchObject(ended);
    await expect(link.accept({ password: 'another long password' })).rejects.toMatchObject(ended);
    const [row] = await intake.query(
      `select actor, action from intake.audit where actor = $1 order by id limit 1`,
      [`operator:${email}`],
    );
    expect(row).toEqual({ actor: `operator:${email}`, action: 'auth.acceptInvitation' });
  });

  it('is accepted once by two who hold the link at the same moment', async () => {
    const { email, token } = await invited();
    const link = await linkCalls(intake, token);
    const both = await Promise.allSettled(
      ['first long password', 'second long password'].map((one) => link.accept({ password: one })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [row] = await intake.query(
      `select count(*)::int as count from intake.operator_session s join intake.operator o on o.id = s.operator_id
       where email = $1`,
      [email],
    );
    expect(row).toEqual({ count: 1 });
  });

  it('sent again gives a new link; the earlier one dies, and is not mailed any more', async () => {
    const { email, token, message } = await invited('viewer');
    const again = await invited('reviewer', email);
    expect(again.token).not.toBe(token);
    await expect((await linkCalls(intake, token)).accept({ password })).rejects.toMatchObject(ended);
    expect((await letterOf(intake, message.messageId)).token).toBeUndefined();
    const link = await linkCalls(intake, again.token);
    expect(await link.accept({ password })).toMatchObject({ role: 'reviewer' });
  });

  it('ends after 24 hours', async () => {
    const { token, message } = await invited();
    const link = await linkCalls(intake, token);
    aheadMs = DAY_MS - 60_000;
    await link.read();
    aheadMs = DAY_MS + 1_000;
    await expect(link.accept({ password })).rejects.toMatchObject(ended);
    expect((await letterOf(intake, message.messageId)).token).toBeUndefined();
  });

  it('ends when an administrator disables the account, which is then not enabled without a password', async () => {
    const { operatorId, token } = await invited();
    await first().operators.disable.mutate({ operatorId });
    await expect((await linkCalls(intake, token)).accept({ password })).rejects.toMatchObject(ended);
    await expect(first().operators.enable.mutate({ operatorId })).rejects.toMatchObject(
      refusal('REQUEST_STATE_NOT_ALLOWED'),
    );
  });

  it('is for nobody who is an operator already', async () => {
    for (const email of ['ADMIN@example.com', 'operator2@example.com'])
      await expect(second().operators.invite.mutate({ email, role: 'admin' })).rejects.toMatchObject(
        refusal('REQUEST_STATE_NOT_ALLOWED'),
      );
  });

  it('makes an administrator who decides on nothing that either of both proposes, for seven days', async () => {
    const { email, operatorId, token } = await invited('admin');
    await (await linkCalls(intake, token)).accept({ password });
    const made = intake.operators({ kind: 'operator', operatorId, email, role: 'admin' });
    for (const propose of [first, second]) {
      const change = { id: partnerIds.other, email: `p${people++}@example.com` };
      const { approvalId: id = '' } = await propose().partners.update.mutate(change);
      await expect(made.approvals.approve.mutate({ id })).rejects.toMatchObject(refusal('FORBIDDEN'));
      await propose().approvals.reject.mutate({ id });
    }
  });

  it('that was written to the database past intake opens nothing', async () => {
    const { token, operatorId } = await invited();
    const moved = `update operator_invitation set operator_id = '01900000-0000-7000-8000-0000000000a1' where operator_id = $1`;
    await expect(attacker.execute(moved, [operatorId])).rejects.toThrow('only move forward');
    await attacker.execute(`${moved.replace('set', 'set version = version + 1,')}`, [operatorId]);
    await expect((await linkCalls(intake, token)).accept({ password })).rejects.toMatchObject(ended);
    await attacker.execute('delete from operator_invitation', []);
  });

  it('is not mailed to anybody else, whatever the database says of its letter', async () => {
    const { message, operatorId } = await invited('admin');
    const { operatorId: viewer, email: recipient } = await addOperator(intake, 'viewer');
    await attacker.execute(
      'update operator_letter set operator_id = $1, recipient = $2 where operator_id = $3',
      [viewer, recipient, operatorId],
    );
    await expect(letterOf(intake, message.messageId)).rejects.toMatchObject(refusal('SERVICE_UNAVAILABLE'));
    const { warnings } = await first().overview.query();
    expect(warnings).toContainEqual(
      expect.objectContaining({ subject: `operator_letter:${message.messageId}` }),
    );
  });
});

describe('guessed links', () => {
  it('make the address wait after two hundred', async () => {
    // A few at a time: what has waited for too long is refused without being counted.
    for (let n = 0; n < 200; n += 4) {
      const tries = [n, n + 1, n + 2, n + 3].map(async (one) =>
        (await linkCalls(intake, `guess-${one}`)).read(),
      );
      for (const answer of await Promise.allSettled(tries))
        expect(answer).toMatchObject({ status: 'rejected', reason: ended });
    }
    // One is let through where the machine took ten seconds since the last.
    const more = await Promise.allSettled(
      Array.from({ length: 10 }, async () => (await linkCalls(intake, 'one more')).read()),
    );
    const codes = more.map((one) => one.status === 'rejected' && one.reason.data.appCode);
    expect(codes.filter((code) => code === 'RATE_LIMITED').length).toBeGreaterThanOrEqual(9);
    const elsewhere = await linkCalls(intake, 'one more');
    await expect(elsewhere.read('198.51.100.9')).rejects.toMatchObject(ended);
  });
});

describe('new factors', () => {
  it('take two, end password and sessions, and come by a link', async () => {
    const { email, operatorId, token } = await invited();
    await (await linkCalls(intake, token)).accept({ password });
    const held = intake.operators({ kind: 'operator', operatorId, email, role: 'reviewer', gen: 1 } as never);
    await held.partners.list.query({});
    expect(await first().operators.get.query({ operatorId })).toMatchObject({
      sessions: [{ method: 'invitation' }],
    });
    const authenticator = await enrolledPasskey(intake, { email, password, origin: consoleUrl });
    await signInByPasskey(intake, authenticator.get({ challenge: await passkeyChallenge(intake) }));
    expect((await first().operators.get.query({ operatorId })).factors).toMatchObject([{ kind: 'passkey' }]);
    await byTwo(intake, ({ operators }) => operators.resetFactors.mutate({ operatorId, language: 'en' }));
    const signed = authenticator.get({ challenge: await passkeyChallenge(intake) });
    await expect(signInByPasskey(intake, signed)).rejects.toMatchObject(ended);
    await expect(held.partners.list.query({})).rejects.toMatchObject(ended);
    await expect(signIn(intake, email, password)).rejects.toMatchObject(ended);
    expect(await first().operators.get.query({ operatorId })).toMatchObject({
      sessions: [],
      factors: [],
      invitation: { kind: 'reset' },
    });
    const letter = await newestLetter(intake, email);
    expect(letter.message).toMatchObject({ template: 'operator-reset', language: 'en' });
    await (await linkCalls(intake, letter.token ?? '')).accept({ password: 'quite another password' });
    expect(await signIn(intake, email, 'quite another password')).toBe('reviewer');
  });

  it('are for nobody who is disabled, nor for oneself', async () => {
    const { operatorId } = await addOperator(intake, 'viewer');
    await first().operators.disable.mutate({ operatorId });
    await expect(first().operators.resetFactors.mutate({ operatorId })).rejects.toMatchObject(
      refusal('REQUEST_STATE_NOT_ALLOWED'),
    );
    const own = { operatorId: secondAdministrator.operatorId };
    await expect(second().operators.resetFactors.mutate(own)).rejects.toMatchObject(refusal('FORBIDDEN'));
  });
});

it('one administrator signs an operator out everywhere', async () => {
  const { email, operatorId, token } = await invited();
  await (await linkCalls(intake, token)).accept({ password });
  await signIn(intake, email, password);
  expect(await first().operators.endSessions.mutate({ operatorId })).toEqual({ ended: 2 });
  expect(await first().operators.get.query({ operatorId })).toMatchObject({ sessions: [] });
});

it('outside a sandbox a link opens a session that may enrol a second factor and nothing else', async () => {
  const outside = { ...asProduction };
  const systems = ['REGISTRY', 'TAX_REGISTRY', 'LIVENESS'].flatMap((name) => [
    [`${name}_URL`, 'http://127.0.0.1:9'],
    [`${name}_TOKEN`, 'token'],
  ]);
  await using deployed = await runningIntake({
    ...outside,
    ...Object.fromEntries(systems),
    CONSOLE_URL: consoleUrl,
  });
  const email = 'enrols@example.com';
  await byTwo(deployed, ({ operators }) => operators.invite.mutate({ email, role: 'admin' }));
  const { token = '' } = await newestLetter(deployed, email);
  expect(await (await linkCalls(deployed, token)).accept({ password })).toMatchObject({ scope: 'enrolment' });
});
