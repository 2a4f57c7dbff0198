import { asProduction, disposeAfterAll } from '@rubrica/testkit';
import { type Signing, softwareAuthenticator } from '@rubrica/testkit/software-authenticator';
import { beforeEach, describe, expect, it } from 'vitest';
import { outcome, provenBy, type SignedIn, showing, signIn } from './support/operator-session.ts';
import { changeOperator } from './support/own-database.ts';
import { signInByPasskey } from './support/passkeys.ts';
import { runningIntake } from './support/running-intake.ts';

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const origin = 'https://console.example';
const email = 'operator2@example.com';
const operatorId = '01900000-0000-7000-8000-0000000000a2';
const firstId = '01900000-0000-7000-8000-0000000000a1';

const outside = Object.fromEntries(
  ['REGISTRY', 'TAX_REGISTRY', 'LIVENESS'].flatMap((name) => [
    [`${name}_URL`, 'http://127.0.0.1:9'],
    [`${name}_TOKEN`, 'token'],
  ]),
);

const intake = await disposeAfterAll(
  runningIntake({ ...asProduction, CONSOLE_URL: origin, ...outside }, { clock }),
);

beforeEach(() => intake.query('truncate intake.operator_factor, intake.operator_factor_mark'));

const gateway = () => intake.client({ kind: 'service', name: 'gateway' });
const operators = () => intake.operators({ kind: 'service', name: 'gateway' });
const lists = async (by: SignedIn) => outcome(operators().partners.list.query({}, await showing(intake, by)));

const proof = (owner = operatorId) => provenBy(intake, owner);

async function optionsFor(by: SignedIn, owner?: string) {
  const begun = await operators().auth.enrolPasskey.mutate(await proof(owner), await showing(intake, by));
  if (!('options' in begun)) throw new Error('no options were made');
  return begun.options;
}

type Authenticator = ReturnType<typeof softwareAuthenticator>;

const enrol = async (by: SignedIn, response: ReturnType<Authenticator['create']>) =>
  operators().auth.enrolPasskey.mutate(
    { ...(await proof()), response, name: 'laptop' },
    await showing(intake, by),
  );

/** @param counter what the authenticator says when it is enrolled, less one: those that synchronise their keys always say 0 */
async function enrolled(counter = 0) {
  const session = await signIn(intake, { email });
  const authenticator = softwareAuthenticator(origin);
  authenticator.state.counter = counter;
  const options = await optionsFor(session);
  await enrol(session, authenticator.create({ challenge: options.challenge }));
  return { session, authenticator, userHandle: options.user.id };
}

const challenge = async () => (await gateway().tokens.passkeyOptions.mutate({})).challenge;
const wrong = 'UNAUTHENTICATED';

describe('a passkey', () => {
  it('is enrolled from a session that may do nothing else, and opens a full one without a password', async () => {
    const { session, authenticator, userHandle } = await enrolled();
    expect(await lists(session)).toBe('answered');
    expect(await outcome(signIn(intake, { email }))).toBe('challenge passkey');
    const { challenge: asked, rpId } = await gateway().tokens.passkeyOptions.mutate({});
    expect(rpId).toBe('console.example');
    const opened = await signInByPasskey(intake, authenticator.get({ challenge: asked, userHandle }));
    expect(opened).toMatchObject({ role: 'admin', scope: 'full' });
    const shown = await operators().auth.sessions.query({}, await showing(intake, opened));
    expect(shown).toMatchObject({
      operator: { email },
      factors: [{ kind: 'passkey', name: 'laptop', lastUsedAt: expect.any(String) }],
    });
    expect(shown.items[0]).toMatchObject({ method: 'passkey', isCurrent: true });
  });

  it('signs a challenge once, within five minutes, and none that nobody asked', async () => {
    const { authenticator } = await enrolled();
    const signed = authenticator.get({ challenge: await challenge() });
    await signInByPasskey(intake, signed);
    expect(await outcome(signInByPasskey(intake, signed))).toBe(wrong);
    const late = authenticator.get({ challenge: await challenge() });
    aheadMs += 5 * 60_000;
    expect(await outcome(signInByPasskey(intake, late))).toBe(wrong);
    const own = authenticator.get({ challenge: Buffer.alloc(32, 7).toString('base64url') });
    expect(await outcome(signInByPasskey(intake, own))).toBe(wrong);
  });

  it.each([
    ['without a MAC', () => null],
    ['with one of its own', () => 'made up'],
    ['with the MAC of another end', (mac: string | undefined) => mac],
  ])('signs no challenge again that the database role puts back %s', async (_what, mac) => {
    const { authenticator } = await enrolled(-1);
    const asked = await challenge();
    const [kept] = await intake.query<{ mac: string }>(
      'select mac from intake.operator_challenge where challenge = $1',
      [asked],
    );
    authenticator.state.counter = -1;
    const signed = authenticator.get({ challenge: asked });
    await signInByPasskey(intake, signed);
    await intake.query(
      `insert into intake.operator_challenge (challenge, expires_at, mac) values ($1, now() + interval '10 years', $2)`,
      [asked, mac(kept?.mac)],
    );
    expect(await outcome(signInByPasskey(intake, signed))).toBe(wrong);
  });

  it.each<[string, Partial<Signing>]>([
    ['at another origin', { origin: 'https://console.example.evil.test' }],
    ['for another domain', { rpId: 'evil.test' }],
    ['of a person who was not verified', { flags: 0x01 }],
    ['for another operator', { userHandle: Buffer.alloc(16, 1).toString('base64url') }],
  ])('that was used %s opens nothing', async (_what, signing) => {
    const { authenticator } = await enrolled();
    const signed = authenticator.get({ challenge: await challenge(), ...signing });
    expect(await outcome(signInByPasskey(intake, signed))).toBe(wrong);
    await signInByPasskey(intake, authenticator.get({ challenge: await challenge() }));
  });

  it('that signs with another key, or whose counter goes back, opens nothing', async () => {
    const { authenticator } = await enrolled();
    const other = softwareAuthenticator(origin).get({ challenge: await challenge() });
    const forged = { ...other, id: authenticator.id, rawId: authenticator.id };
    expect(await outcome(signInByPasskey(intake, forged))).toBe(wrong);
    await signInByPasskey(intake, authenticator.get({ challenge: await challenge() }));
    authenticator.state.counter = 0;
    const copied = authenticator.get({ challenge: await challenge() });
    expect(await outcome(signInByPasskey(intake, copied))).toBe(wrong);
  });

  it('is enrolled by the challenge that its owner was given, and not by one of a sign-in', async () => {
    const session = await signIn(intake, { email });
    const another = await signIn(intake);
    const authenticator = softwareAuthenticator(origin);
    const hers = (await optionsFor(another, firstId)).challenge;
    for (const asked of [hers, await challenge()])
      expect(await outcome(enrol(session, authenticator.create({ challenge: asked })))).toBe('FORBIDDEN');
    const made = authenticator.create({ challenge: (await optionsFor(session)).challenge });
    await enrol(session, made);
    expect(await outcome(enrol(session, made))).toBe('FORBIDDEN');
  });

  it('that is removed opens nothing, nor does one of a disabled operator', async () => {
    const { session, authenticator } = await enrolled();
    const second = softwareAuthenticator(origin);
    await enrol(session, second.create({ challenge: (await optionsFor(session)).challenge }));
    const { factors } = await operators().auth.sessions.query({}, await showing(intake, session));
    const factorId = factors[0]?.factorId ?? '';
    await operators().auth.removeFactor.mutate(
      { ...(await proof()), factorId },
      await showing(intake, session),
    );
    const removed = authenticator.get({ challenge: await challenge() });
    expect(await outcome(signInByPasskey(intake, removed))).toBe(wrong);
    await signInByPasskey(intake, second.get({ challenge: await challenge() }));
    await changeOperator(intake.ground, operatorId, { enabled: false });
    const disabled = second.get({ challenge: await challenge() });
    expect(await outcome(signInByPasskey(intake, disabled))).toBe(wrong);
    await changeOperator(intake.ground, operatorId, { enabled: true });
  });

  it('is no reason to wait: wrong passwords slow nothing of it down', async () => {
    const { authenticator } = await enrolled();
    for (let n = 0; n < 11; n += 1) await outcome(signIn(intake, { email, password: 'wrong' }));
    expect(await outcome(signIn(intake, { email }))).toBe('RATE_LIMITED');
    await signInByPasskey(intake, authenticator.get({ challenge: await challenge() }));
    await intake.query('delete from intake.sign_in_attempt');
  });
});
