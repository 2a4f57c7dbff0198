import { disposeAfterAll } from '@rubrica/testkit';
import { softwareAuthenticator } from '@rubrica/testkit/software-authenticator';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { enrolApp } from './support/authenticator-app.ts';
import { outcome, provenBy, type SignedIn, showing, signIn } from './support/operator-session.ts';
import { changeOperator } from './support/own-database.ts';
import { runningIntake } from './support/running-intake.ts';

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const origin = 'https://console.example';
const operatorId = '01900000-0000-7000-8000-0000000000a1';
const tenMinutesMs = 10 * 60_000;

/** In the sandbox, where a password alone opens a full session. */
const intake = await disposeAfterAll(runningIntake({ CONSOLE_URL: origin }, { clock }));

beforeEach(async () => {
  aheadMs = 0;
  for (const table of ['operator_recovery_code', 'operator_factor', 'operator_letter', 'sign_in_attempt'])
    await intake.query(`delete from intake.${table}`);
  await intake.query('truncate intake.operator_factor_mark');
});

const auth = () => intake.operators({ kind: 'service', name: 'gateway' }).auth;
const proof = (password?: string) => provenBy(intake, operatorId, password);

async function passkeyOf(by: SignedIn) {
  const shown = await showing(intake, by);
  const begun = await auth().enrolPasskey.mutate(await proof(), shown);
  if (!('options' in begun)) throw new Error('no options were made');
  const response = softwareAuthenticator(origin).create(begun.options);
  return { shown, response };
}

interface MailRow {
  readonly template: string;
  readonly language: string;
  readonly recipient: string;
}
const mails = () =>
  intake.query<MailRow>('select template, language, recipient from intake.operator_letter order by id');

describe('however short ago the sign-in was', () => {
  it.each(['enrolTotp', 'enrolPasskey'] as const)(
    '%s begins with the present password alone',
    async (path) => {
      const shown = await showing(intake, await signIn(intake));
      expect(await outcome(auth()[path].mutate({}, shown))).toBe('FRESH_PROOF_NEEDED');
      expect(await outcome(auth()[path].mutate(await proof('wrong'), shown))).toBe('FORBIDDEN');
      expect(await outcome(auth()[path].mutate(await proof(), shown))).toBe('answered');
      aheadMs = tenMinutesMs + 1;
      expect(await outcome(auth()[path].mutate({}, shown))).toBe('FRESH_PROOF_NEEDED');
    },
  );

  it('a passkey that was begun is enrolled, and taken away, by it alone', async () => {
    const { shown, response } = await passkeyOf(await signIn(intake));
    const factors = async () => (await auth().sessions.query({}, shown)).factors;
    expect(await outcome(auth().enrolPasskey.mutate({ response }, shown))).toBe('FRESH_PROOF_NEEDED');
    expect(await factors()).toEqual([]);
    await auth().enrolPasskey.mutate({ ...(await proof()), response }, shown);
    const [passkey] = await factors();
    const factorId = passkey?.factorId ?? '';
    expect(await outcome(auth().removeFactor.mutate({ factorId }, shown))).toBe('FRESH_PROOF_NEEDED');
    expect(await factors()).toHaveLength(1);
    await auth().removeFactor.mutate({ ...(await proof()), factorId }, shown);
    expect(await factors()).toEqual([]);
  });

  it('wrong passwords are counted as those at the door are', async () => {
    const shown = await showing(intake, await signIn(intake));
    for (let tried = 0; tried < 10; tried += 1)
      await outcome(auth().enrolTotp.mutate(await proof('wrong'), shown));
    const call = auth().enrolTotp.mutate(await proof(), shown);
    expect(await outcome(call)).toBe('RATE_LIMITED');
  });
});

describe('an operator of the organisation’s provider, who has no password', () => {
  it('enrols a factor within ten minutes of the sign-in, and not later', async () => {
    const shown = await showing(intake, await signIn(intake));
    const [operator] = await intake.query<{ hash: string }>(
      'select password_hash as hash from intake.operator where id = $1',
      [operatorId],
    );
    onTestFinished(() => changeOperator(intake.ground, operatorId, { passwordHash: operator?.hash }));
    await changeOperator(intake.ground, operatorId, { passwordHash: null });
    expect(await outcome(auth().enrolPasskey.mutate({}, shown))).toBe('answered');
    aheadMs = tenMinutesMs + 1;
    expect(await outcome(auth().enrolPasskey.mutate({}, shown))).toBe('FRESH_PROOF_NEEDED');
  });
});

describe('the operator', () => {
  it.each(['en', 'es'] as const)('is mailed of each factor that is enrolled, in %s', async (language) => {
    await changeOperator(intake.ground, operatorId, { language });
    const session = await signIn(intake);
    const { shown, response } = await passkeyOf(session);
    expect(await mails()).toEqual([]);
    await auth().enrolPasskey.mutate({ ...(await proof()), response }, shown);
    const mail = (template: string) => ({ template, language, recipient: 'admin@example.com' });
    expect(await mails()).toEqual([mail('operator-passkey')]);
    await enrolApp(intake, { session, operatorId, now: clock() });
    expect(await mails()).toEqual([mail('operator-passkey'), mail('operator-app')]);
  });
});
