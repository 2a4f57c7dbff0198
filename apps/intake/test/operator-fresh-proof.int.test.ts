import { softwareAuthenticator } from '@rubrica/testkit/software-authenticator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcome, type SignedIn, showing, signIn } from './support/operator-session.ts';
import { type RunningIntake, runningIntake } from './support/running-intake.ts';

/** In the sandbox, where a password alone opens a full session. */
let intake: RunningIntake;
let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const origin = 'https://console.example';
const operatorId = '01900000-0000-7000-8000-0000000000a1';
const tenMinutesMs = 10 * 60_000;

beforeAll(async () => {
  intake = await runningIntake({ CONSOLE_URL: origin }, { clock });
});
afterAll(() => intake?.[Symbol.asyncDispose]());
beforeEach(async () => {
  aheadMs = 0;
  for (const table of ['operator_factor', 'sign_in_attempt'])
    await intake.query(`delete from intake.${table}`);
});

const auth = () => intake.operators({ kind: 'service', name: 'gateway' }).auth;

async function sealed(password: string): Promise<string> {
  const { keyring } = await intake.ground.peer('gateway');
  return keyring.sealTo('intake', password, { purpose: 'account-password', owner: operatorId });
}

const right = () => sealed('correct horse battery');

async function passkeyOf(by: SignedIn) {
  const shown = await showing(intake, by);
  const begun = await auth().enrolPasskey.mutate({}, shown);
  if (!('options' in begun)) throw new Error('no options were made');
  const response = softwareAuthenticator(origin).create(begun.options);
  return { shown, response };
}

describe('ten minutes after the sign-in', () => {
  it.each(['enrolTotp', 'enrolPasskey'] as const)(
    '%s begins with the present password alone',
    async (path) => {
      const shown = await showing(intake, await signIn(intake));
      expect(await outcome(auth()[path].mutate({}, shown))).toBe('answered');
      aheadMs = tenMinutesMs + 1;
      expect(await outcome(auth()[path].mutate({}, shown))).toBe('FRESH_PROOF_NEEDED');
      const wrong = { currentPassword: await sealed('wrong') };
      expect(await outcome(auth()[path].mutate(wrong, shown))).toBe('FORBIDDEN');
      const given = { currentPassword: await right() };
      expect(await outcome(auth()[path].mutate(given, shown))).toBe('answered');
    },
  );

  it('a passkey that was begun before is enrolled, and taken away, by it alone', async () => {
    const { shown, response } = await passkeyOf(await signIn(intake));
    aheadMs = tenMinutesMs + 1;
    const factors = async () => (await auth().sessions.query({}, shown)).factors;
    expect(await outcome(auth().enrolPasskey.mutate({ response }, shown))).toBe('FRESH_PROOF_NEEDED');
    expect(await factors()).toEqual([]);
    aheadMs = 0;
    await auth().enrolPasskey.mutate({ response }, shown);
    aheadMs = tenMinutesMs + 1;
    const [passkey] = await factors();
    const factorId = passkey?.factorId ?? '';
    expect(await outcome(auth().removeFactor.mutate({ factorId }, shown))).toBe('FRESH_PROOF_NEEDED');
    expect(await factors()).toHaveLength(1);
    await auth().removeFactor.mutate({ factorId, currentPassword: await right() }, shown);
    expect(await factors()).toEqual([]);
  });

  it('wrong passwords are counted as those at the door are', async () => {
    const shown = await showing(intake, await signIn(intake));
    aheadMs = tenMinutesMs + 1;
    for (let tried = 0; tried < 10; tried += 1)
      await outcome(auth().enrolTotp.mutate({ currentPassword: await sealed('wrong') }, shown));
    const call = auth().enrolTotp.mutate({ currentPassword: await right() }, shown);
    expect(await outcome(call)).toBe('RATE_LIMITED');
  });
});
