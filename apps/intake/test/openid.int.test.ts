import type { SessionMethod } from '@rubrica/contracts/shared/enumerations';
import { disposeAfterAll } from '@rubrica/testkit';
import { createUserAgent, signInAtProvider, testOpenIdProvider } from '@rubrica/testkit/openid';
import { describe, expect, it } from 'vitest';
import { assertMethodAllowed } from '../src/access/operators/assert-method-allowed.ts';
import { hashPassword } from '../src/access/passwords/password-hash.ts';
import { opened, outcome, refresh, showing, signIn } from './support/operator-session.ts';
import { changeOperator, ownDatabase } from './support/own-database.ts';
import { asOperator, partnerIds, runningIntake } from './support/running-intake.ts';

const redirectUri = 'http://127.0.0.1:3000/auth/oidc/callback';
const gateway = { kind: 'service', name: 'gateway' } as const;
const roles = { 'ca-admins': 'admin', 'ca-reviewers': 'reviewer', 'ca-staff': 'viewer' };
const aheadMs = 0;

const provider = await disposeAfterAll(testOpenIdProvider());
provider.redirectUris.add(redirectUri);
const intake = await disposeAfterAll(
  runningIntake(
    {
      SANDBOX: 'true',
      OPERATOR_OIDC_ISSUER: provider.issuer,
      OPERATOR_OIDC_CLIENT_ID: provider.clientId,
      OPERATOR_OIDC_CLIENT_SECRET: provider.clientSecret,
      OPERATOR_OIDC_REDIRECT_URI: redirectUri,
      OPERATOR_OIDC_SCOPE: provider.scope,
      OPERATOR_OIDC_ROLES: JSON.stringify(roles),
      OPERATOR_OIDC_AMR: 'mfa',
    },
    { clock: () => new Date(Date.now() + aheadMs) },
  ),
);

let people = 0;
/** A person at the provider who has signed in nowhere yet. */
function person(values: readonly string[], more: object = {}) {
  people += 1;
  const subject = `person-${people}`;
  const email = `${subject}@example.com`;
  const change = (fields: object) =>
    provider.people.set(subject, { email, roles: values, amr: ['pwd', 'mfa'], ...more, ...fields });
  change({});
  return { subject, email, change };
}

const begin = () => intake.client(gateway).tokens.startOpenId.query({});

/** Through the provider's page. @returns the flow and the query that the browser came back with */
async function through(subject: string) {
  const { authorizationUrl, sealedFlow } = await begin();
  const back = await signInAtProvider(createUserAgent(), { authorizationUrl, subject, redirectUri });
  return { sealedFlow, query: back.search.slice(1) };
}

interface Back {
  readonly sealedFlow: string;
  readonly query: string;
}

async function finish({ sealedFlow, query }: Back, owner = 'gateway') {
  const { keyring } = await intake.ground.peer('gateway');
  const sealedAnswer = await keyring.sealTo('intake', query, { purpose: 'openid-answer', owner });
  const input = { sealedFlow, sealedAnswer, address: '198.51.100.7', userAgent: 'test' };
  const made = await intake.client(gateway).tokens.finishOpenId.mutate(input);
  return made.kind === 'refused' ? made.reason : opened(intake, sealedAnswer, made);
}

async function enter(subject: string) {
  const entered = await finish(await through(subject));
  if (typeof entered === 'string') throw new Error(entered);
  return entered;
}

const operators = () => intake.operators(gateway);
const rowOf = async (email: string) =>
  (
    await intake.query<{ id: string; role: string; gen: number; made_by: object[] }>(
      'select id, role, gen, made_by from intake.operator where email = $1',
      [email],
    )
  )[0];
const audited = (email: string) =>
  intake.query(
    `select action, target, details->>'refusal' as refusal from intake.audit
     where actor = $1 order by id`,
    [`operator:${email}`],
  );

describe('a person whom the provider vouches for', () => {
  it('gets a session by the role of the claim, and is made an operator the first time alone', async () => {
    const { subject, email } = person(['ca-reviewers', 'others']);
    const entered = await enter(subject);
    expect(entered).toMatchObject({ role: 'reviewer', scope: 'full' });
    const shown = await operators().auth.sessions.query({}, await showing(intake, entered));
    expect(shown).toMatchObject({ operator: { email, role: 'reviewer' }, items: [{ method: 'oidc' }] });
    const before = await rowOf(email);
    expect(before?.made_by).toMatchObject([{ operatorId: 'organisation', action: 'invite' }]);
    await enter(subject);
    expect(await rowOf(email)).toEqual(before);
    const target = `operator:${before?.id}`;
    const entry = { action: 'auth.signIn', target, refusal: null };
    expect(await audited(email)).toEqual([entry, entry]);
  });

  it('is one operator, also where two sign-ins are the first', async () => {
    const { subject, email } = person(['ca-staff']);
    const both = await Promise.all([through(subject), through(subject)]);
    const entered = await Promise.all(both.map((back) => finish(back)));
    expect(entered).toEqual([
      expect.objectContaining({ role: 'viewer' }),
      expect.objectContaining({ role: 'viewer' }),
    ]);
    expect(await intake.query('select 1 from intake.operator where email = $1', [email])).toHaveLength(1);
  });

  it('is known by the subject, whatever e-mail address there is now', async () => {
    const { subject, email, change } = person(['ca-staff']);
    await enter(subject);
    change({ email: 'another@example.com' });
    const shown = await operators().auth.sessions.query({}, await showing(intake, await enter(subject)));
    expect(shown.operator.email).toBe(email);
  });

  it('follows the role up and down, and what was opened by the former one ends', async () => {
    const { subject, email, change } = person(['ca-staff']);
    const asViewer = await enter(subject);
    change({ roles: ['ca-admins'] });
    const asAdmin = await enter(subject);
    expect(asAdmin.role).toBe('admin');
    expect(await outcome(refresh(intake, asViewer.refreshToken))).toBe('UNAUTHENTICATED');
    expect((await rowOf(email))?.made_by).toMatchObject([{ action: 'invite' }, { action: 'promote' }]);
    change({ roles: ['ca-reviewers'] });
    expect((await enter(subject)).role).toBe('reviewer');
    expect(await outcome(refresh(intake, asAdmin.refreshToken))).toBe('UNAUTHENTICATED');
    const [raised, lowered] = await intake.query(
      `select actor, details from intake.audit where action = 'operators.changeRole' and target = $1 order by id`,
      [`operator:${(await rowOf(email))?.id}`],
    );
    expect(raised).toMatchObject({
      actor: `organisation:${provider.issuer}`,
      details: { from: 'viewer', to: 'admin' },
    });
    expect(lowered).toMatchObject({ details: { from: 'admin', to: 'reviewer' } });
  });

  it('who has lost every role has no session any more, and no role that counts', async () => {
    const { subject, email, change } = person(['ca-admins']);
    const asAdmin = await enter(subject);
    change({ roles: [] });
    expect(await finish(await through(subject))).toBe('no-role');
    expect(await outcome(refresh(intake, asAdmin.refreshToken))).toBe('UNAUTHENTICATED');
    expect((await rowOf(email))?.role).toBe('viewer');
    change({ roles: ['ca-admins'] });
    expect((await enter(subject)).role).toBe('admin');
  });

  it('is refused, and it is written down, without a role, with an operator’s address, and disabled', async () => {
    const nobody = person(['others']);
    expect(await finish(await through(nobody.subject))).toBe('no-role');
    expect(await rowOf(nobody.email)).toBeUndefined();
    const refused = {
      action: 'auth.signInRefused',
      target: `identity:${nobody.subject}`,
      refusal: 'no-role',
    };
    expect(await audited(nobody.email)).toEqual([refused]);

    const impostor = person(['ca-admins'], { email: 'Admin@example.com' });
    expect(await finish(await through(impostor.subject))).toBe('address-taken');

    const former = person(['ca-admins']);
    await enter(former.subject);
    const id = (await rowOf(former.email))?.id ?? '';
    await changeOperator(intake.ground, id, { enabled: false });
    expect(await finish(await through(former.subject))).toBe('disabled');
    expect((await audited(former.email)).at(-1)).toMatchObject({
      refusal: 'disabled',
      target: `operator:${id}`,
    });
  });

  it('is refused without the second factor there, and without an address that is verified', async () => {
    const { subject, change } = person(['ca-staff'], { amr: ['pwd'] });
    expect(await finish(await through(subject))).toBe('second-factor');
    change({ amr: ['mfa'], email_verified: false });
    expect(await finish(await through(subject))).toBe('no-address');
    change({ amr: ['mfa'], email_verified: true });
    await enter(subject);
  });

  it('whom the provider makes an administrator is nobody’s second person for seven days', async () => {
    const { subject } = person(['ca-admins']);
    const signedIn = await showing(intake, await enter(subject));
    const change = { id: partnerIds.other, reviewPolicy: 'four-eyes' } as const;
    await intake.operators(asOperator('admin')).partners.update.mutate(change);
    const loosened = { ...change, reviewPolicy: 'automatic' } as const;
    const proposal = await intake.operators(asOperator('admin')).partners.update.mutate(loosened);
    const approve = () => operators().approvals.approve.mutate({ id: proposal.approvalId ?? '' }, signedIn);
    expect(await outcome(approve())).toBe('FORBIDDEN');
    expect(await approve().catch(String)).toContain('OpenID provider has made one of you');
  });

  it('has no password', async () => {
    const { subject, email } = person(['ca-admins']);
    await enter(subject);
    for (const password of ['', ' ', 'correct horse battery'])
      expect(await outcome(signIn(intake, { email, password }))).toBe('UNAUTHENTICATED');
  });

  it('comes in by no other door, also where a password was set', async () => {
    const { subject, email } = person(['ca-admins']);
    await enter(subject);
    const password = 'a password of 25 letters';
    const id = (await rowOf(email))?.id ?? '';
    await changeOperator(intake.ground, id, { passwordHash: await hashPassword(password) });
    expect(await outcome(signIn(intake, { email, password }))).toBe('UNAUTHENTICATED');
    const reset = intake.operators(asOperator('admin')).operators.resetFactors.mutate({ operatorId: id });
    expect(await outcome(reset)).toBe('REQUEST_STATE_NOT_ALLOWED');
    const shown = await intake.operators(asOperator('admin')).operators.list.query({ limit: 100 });
    const doors = shown.items.map(({ email: of, signsInAt }) => [of, signsInAt]);
    expect(doors).toContainEqual([email, 'organisation']);
    expect(doors).toContainEqual(['admin@example.com', 'here']);
    await enter(subject);
    await using own = await ownDatabase(intake.ground);
    const door = (method: SessionMethod) =>
      own.database
        .transaction((em) => assertMethodAllowed(em, { operatorId: id, method }))
        .then(
          () => 'open',
          ({ code }) => code,
        );
    const others = ['password', 'totp', 'passkey', 'invitation'] as const;
    for (const method of others) expect([method, await door(method)]).toEqual([method, 'UNAUTHENTICATED']);
    expect([await door('oidc'), await door('breakGlass')]).toEqual(['open', 'open']);
  });
});

describe('the provider’s answer', () => {
  const restart = 'start-again';

  it('counts once, and its code with it', async () => {
    const { subject } = person(['ca-staff']);
    const back = await through(subject);
    expect(await finish(back)).toMatchObject({ role: 'viewer' });
    expect(await finish(back)).toBe(restart);
    const next = await through(subject);
    const state = new URLSearchParams(next.query).get('state') ?? '';
    const replayed = new URLSearchParams(back.query);
    replayed.set('state', state);
    expect(await finish({ ...next, query: replayed.toString() })).toBe(restart);
  });

  it('is taken once where it comes twice at the same moment', async () => {
    const { subject } = person(['ca-staff']);
    const back = await through(subject);
    const ends = await Promise.all([finish(back), finish(back), finish(back)]);
    expect(ends.filter((end) => end === restart)).toHaveLength(2);
  });

  it('of another sign-in is refused, and uses up nothing', async () => {
    const [mine, hers] = [
      await through(person(['ca-staff']).subject),
      await through(person(['ca-staff']).subject),
    ];
    expect(await finish({ ...mine, query: hers.query })).toBe(restart);
    expect(await finish(mine)).toMatchObject({ role: 'viewer' });
  });

  it('with the code of another sign-in is refused: its nonce and verifier are others', async () => {
    const [mine, hers] = [
      await through(person(['ca-staff']).subject),
      await through(person(['ca-staff']).subject),
    ];
    const mixed = new URLSearchParams(mine.query);
    mixed.set('code', new URLSearchParams(hers.query).get('code') ?? '');
    expect(await finish({ ...mine, query: mixed.toString() })).toBe(restart);
  });

  it.each([
    ['no code', (query: URLSearchParams) => query.delete('code')],
    ['an invented code', (query: URLSearchParams) => query.set('code', 'x'.repeat(43))],
    ['no state', (query: URLSearchParams) => query.delete('state')],
    ['another issuer', (query: URLSearchParams) => query.set('iss', 'https://id.thief.example')],
    ['two states', (query: URLSearchParams) => query.append('state', 'x')],
  ])('is refused with %s', async (_what, change) => {
    const back = await through(person(['ca-staff']).subject);
    const query = new URLSearchParams(back.query);
    change(query);
    expect(await finish({ ...back, query: query.toString() })).toBe(restart);
  });

  it('says where the person has broken off', async () => {
    expect(await finish(await through(''))).toBe('declined');
  });

  it('is refused with a flow that is none, was made by another, or was begun at another door', async () => {
    const { subject } = person(['ca-staff']);
    const back = await through(subject);
    const { keyring } = await intake.ground.peer('gateway');
    const { state } = Object.fromEntries(new URLSearchParams(back.query));
    const exp = Math.floor(Date.now() / 1000) + 600;
    const claims = {
      id: crypto.randomUUID(),
      state,
      nonce: 'n',
      verifier: 'v'.repeat(43),
      exp,
      iss: 'intake',
    };
    const forged = keyring.signStatement('rubrica-openid-flow+jwt', claims);
    for (const owner of ['gateway', 'notifier'])
      for (const text of [forged, JSON.stringify(claims), 'x']) {
        const sealedFlow = await keyring.sealTo('intake', text, { purpose: 'openid-flow', owner });
        expect(await finish({ ...back, sealedFlow })).toBe(restart);
      }
    expect(await finish({ ...back, sealedFlow: 'a.b.c.d.e' })).toBe(restart);
    expect(await finish(back, 'notifier')).toBe(restart);
    expect(await finish(back)).toMatchObject({ role: 'viewer' });
  });
});
