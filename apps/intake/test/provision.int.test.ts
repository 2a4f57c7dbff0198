import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkCalls, newestLetter } from './support/links.ts';
import { changePartner } from './support/own-database.ts';
import { partnerIds, type RunningIntake, runningIntake } from './support/running-intake.ts';

const main = new URL('../src/main.ts', import.meta.url);

it('provisioning says who is missing before anybody can be served, and nothing once they are there', async () => {
  await using intake = await runningIntake();
  const missing = async () => {
    const log = await intake.ground.provision(main, { env: { LOG_LEVEL: 'warn' } });
    const lines = log.split('\n').filter((line) => line !== '');
    const said = lines
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message === 'required rows missing');
    return said.map(({ reason }: { reason: string }) => reason.split(':')[0]);
  };
  const setAll = async (change: object) => {
    for (const id of Object.values(partnerIds)) await changePartner(intake.ground, id, change);
  };
  await intake.query('truncate intake.operator cascade');
  await setAll({ enabled: false });
  expect(await missing()).toEqual(['no administrator', 'no partner']);
  await setAll({ enabled: true });
  expect(await missing()).toEqual(['no administrator']);
});

describe('the first administrators', () => {
  const emails = ['Ana@example.com', 'beto@example.com'];
  const password = 'a long password of mine';
  const named = { FIRST_ADMINISTRATORS: emails.join(', ') };
  let intake: RunningIntake;
  const provision = (env: Record<string, string> = named) => intake.ground.provision(main, { env });
  const letters = () =>
    intake.query<{ id: string; recipient: string }>(
      'select id, recipient from intake.operator_letter order by created_at, id',
    );

  beforeAll(async () => {
    intake = await runningIntake();
    await intake.query('truncate intake.operator cascade');
    await provision();
  });
  afterAll(() => intake?.[Symbol.asyncDispose]());

  it('have accounts without a password, and links that the outbox sends', async () => {
    const rows = await intake.query(
      'select email, password_hash, role, enabled, made_by from intake.operator order by email',
    );
    const empty = { password_hash: null, role: 'admin', enabled: false, made_by: [] };
    expect(rows).toEqual(emails.map((email) => ({ ...empty, email: email.toLowerCase() })));
    const mailed = await letters();
    expect(mailed.map(({ recipient }) => recipient)).toEqual(emails.map((email) => email.toLowerCase()));
    const jobs = await intake.outbox('jobs.mail.send');
    expect(jobs).toEqual(mailed.map(({ id }) => ({ messageId: id })));
  });

  it('get no second link while the first is good, and another one after it has ended', async () => {
    await provision();
    expect(await letters()).toHaveLength(2);
    await intake.query('delete from intake.operator_invitation');
    await provision();
    expect(await letters()).toHaveLength(4);
  });

  it('open their accounts by them, and decide together; who is named later is invited by them alone', async () => {
    const [ana, beto] = await Promise.all(
      emails.map(async (given) => {
        const email = given.toLowerCase();
        const { token = '' } = await newestLetter(intake, email);
        await (await linkCalls(intake, token)).accept({ password });
        const [row] = await intake.query<{ id: string }>('select id from intake.operator where email = $1', [
          email,
        ]);
        return intake.operators({ kind: 'operator', operatorId: row?.id ?? '', email, role: 'admin' });
      }),
    );
    const invite = { email: 'carla@example.com', role: 'viewer' } as const;
    const answer = await ana?.operators.invite.mutate(invite);
    const id = answer && 'approvalId' in answer ? answer.approvalId : '';
    expect(await beto?.approvals.approve.mutate({ id })).toMatchObject({ result: { email: invite.email } });
    await provision({ FIRST_ADMINISTRATORS: 'mallory@example.com,ana@example.com' });
    expect(await intake.query(`select from intake.operator where email = 'mallory@example.com'`)).toEqual([]);
  });

  it('are nobody while the rows of administrators are not as intake wrote them', async () => {
    await intake.query(`update intake.operator set role = 'viewer'`);
    await provision({ FIRST_ADMINISTRATORS: 'mallory@example.com,ana@example.com' });
    expect(await intake.query(`select from intake.operator where email = 'mallory@example.com'`)).toEqual([]);
  });

  it('are two', async () => {
    await expect(provision({ FIRST_ADMINISTRATORS: 'ana@example.com' })).rejects.toThrow(
      'must be two addresses',
    );
  });
});
