import { ChallengeRefused, verifyApprovalChallenge } from '@rubrica/contracts/shared/approval-challenge';
import { disposeAfterAll, makePng } from '@rubrica/testkit';
import type { softwareAuthenticator } from '@rubrica/testkit/software-authenticator';
import { beforeEach, describe, expect, it } from 'vitest';
import { outcome, provenBy, showing, signIn } from './support/operator-session.ts';
import { changePartner } from './support/own-database.ts';
import { enrolledPasskey } from './support/passkeys.ts';
import { asOperator, partnerIds, runningIntake, secondAdministrator } from './support/running-intake.ts';

let passkey: ReturnType<typeof softwareAuthenticator>;
let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const origin = 'https://console.example';
const email = secondAdministrator.email;
const password = 'correct horse battery';
const partner = partnerIds.other;

/** The second administrator has a passkey, the first one has none. */
const intake = await disposeAfterAll(runningIntake({ CONSOLE_URL: origin }, { clock }));

beforeEach(async () => {
  aheadMs = 0;
  await intake.query('delete from intake.approval');
  await intake.query('truncate intake.operator_factor, intake.operator_factor_mark');
  await changePartner(intake.ground, partner, { reviewPolicy: 'four-eyes' });
  passkey = await enrolledPasskey(intake, { email, password, origin });
});

const first = () => intake.operators(asOperator('admin')).approvals;
const second = () => intake.operators(secondAdministrator).approvals;

async function proposed(change: object = { reviewPolicy: 'automatic' }): Promise<string> {
  const { partners } = intake.operators(asOperator('admin'));
  return (await partners.update.mutate({ id: partner, ...change })).approvalId ?? '';
}

async function challengeOf(id: string): Promise<string> {
  const { options } = await second().passkeyOptions.mutate({ id });
  return options?.challenge ?? '';
}

/** As the gateway sends it: sealed to intake, for the operator who approves. */
async function sealed(response: object, owner: string = secondAdministrator.operatorId): Promise<never> {
  const { keyring } = await intake.ground.peer('gateway');
  const binding = { purpose: 'approval-response', owner } as const;
  return (await keyring.sealTo('intake', JSON.stringify(response), binding)) as never;
}

const approve = async (id: string, response: object) =>
  outcome(second().approve.mutate({ id, response: await sealed(response) }));
const policy = async () => {
  const { partners } = intake.operators(asOperator('admin'));
  return (await partners.get.query({ id: partner })).reviewPolicy;
};

describe('an administrator who has a passkey', () => {
  it("approves by what it has signed: the proposal's digest, as the audit log has it", async () => {
    const id = await proposed();
    expect(await outcome(second().approve.mutate({ id }))).toBe('PASSKEY_NEEDED');
    expect(await policy()).toBe('four-eyes');
    const { options } = await second().passkeyOptions.mutate({ id });
    expect(options).toMatchObject({ rpId: 'console.example', allowCredentials: [{ id: passkey.id }] });
    const [kept] = await intake.query<{ digest: string }>('select digest from intake.approval');
    const signed = Buffer.from(options?.challenge ?? '', 'base64url').toString('hex');
    expect(signed.slice(0, 64)).toBe(kept?.digest);
    expect(await approve(id, passkey.get({ challenge: options?.challenge ?? '' }))).toBe('answered');
    expect(await policy()).toBe('automatic');
    const [entry] = await intake.query(
      `select details ->> 'digest' as digest, details ->> 'passkey' as passkey from intake.audit
       where action = 'approvals.approve' order by id desc limit 1`,
    );
    const [factor] = await intake.query<{ id: string }>('select id from intake.operator_factor');
    expect(entry).toEqual({ digest: kept?.digest, passkey: factor?.id });
  });

  it('is asked to sign what approvals.get shows, unshortened and alike to whoever asks', async () => {
    const logo = makePng(3_000).toString('base64');
    const id = await proposed({ reviewPolicy: 'automatic', logo });
    const challenge = await challengeOf(id);
    const [shown, toProposer] = [await second().get.query({ id }), await first().get.query({ id })];
    expect(shown.change.input.logo).toBe(logo);
    expect(toProposer).toEqual(shown);
    await verifyApprovalChallenge(shown, challenge);
    const { items } = await second().list.query({});
    await expect(verifyApprovalChallenge(items[0] ?? shown, challenge)).rejects.toThrow(ChallengeRefused);
  });

  it('does not approve by what was signed for another proposal', async () => {
    const other = await proposed({ legacyPkcs12: true });
    const id = await proposed();
    expect(await approve(id, passkey.get({ challenge: await challengeOf(other) }))).toBe('FORBIDDEN');
    expect(await policy()).toBe('four-eyes');
  });

  it('does not approve by what was signed before, for an equal change that is proposed anew neither', async () => {
    const id = await proposed();
    const signed = passkey.get({ challenge: await challengeOf(id) });
    expect(await approve(id, signed)).toBe('answered');
    await changePartner(intake.ground, partner, { reviewPolicy: 'four-eyes' });
    const again = await proposed();
    await challengeOf(again);
    expect(await approve(again, signed)).toBe('FORBIDDEN');
    expect(await policy()).toBe('four-eyes');
  });

  it('does not approve by the passkey of another operator, nor by one that is not his', async () => {
    const id = await proposed();
    const others = await enrolledPasskey(intake, { email: 'admin@example.com', password, origin });
    expect(await approve(id, others.get({ challenge: await challengeOf(id) }))).toBe('FORBIDDEN');
    const forged = others.get({ challenge: await challengeOf(id) });
    expect(await approve(id, { ...forged, id: passkey.id, rawId: passkey.id })).toBe('FORBIDDEN');
    const sealedForAnother = await sealed(
      passkey.get({ challenge: await challengeOf(id) }),
      '01900000-0000-7000-8000-0000000000a1',
    );
    expect(await outcome(second().approve.mutate({ id, response: sealedForAnother }))).toBe('FORBIDDEN');
    expect(await policy()).toBe('four-eyes');
  });

  it.each([
    ['at another origin', { origin: 'https://console.example.evil.test' }],
    ['without showing who it is', { flags: 0x01 }],
  ])('does not approve by one that was used %s', async (_what, signing) => {
    const id = await proposed();
    const signed = passkey.get({ challenge: await challengeOf(id), ...signing });
    expect(await approve(id, signed)).toBe('FORBIDDEN');
    expect(await policy()).toBe('four-eyes');
  });

  it('has five minutes, and may not choose the challenge', async () => {
    const id = await proposed();
    const late = passkey.get({ challenge: await challengeOf(id) });
    aheadMs = 5 * 60_000;
    expect(await approve(id, late)).toBe('FORBIDDEN');
    const [kept] = await intake.query<{ digest: string }>('select digest from intake.approval');
    const own = Buffer.concat([Buffer.from(kept?.digest ?? '', 'hex'), Buffer.alloc(16)]);
    const chosen = passkey.get({ challenge: own.toString('base64url') });
    expect(await approve(id, chosen)).toBe('FORBIDDEN');
  });

  it('is told where the record has changed since', async () => {
    const id = await proposed();
    const signed = passkey.get({ challenge: await challengeOf(id) });
    await changePartner(intake.ground, partner, { name: 'Another name' });
    expect(await approve(id, signed)).toBe('REQUEST_STATE_NOT_ALLOWED');
    expect(await policy()).toBe('four-eyes');
  });
});

it('who has no passkey approves by the session, and is given nothing to sign', async () => {
  await intake.query('truncate intake.operator_factor, intake.operator_factor_mark');
  const id = await proposed();
  expect(await second().passkeyOptions.mutate({ id })).toEqual({ options: null });
  await second().approve.mutate({ id });
  expect(await policy()).toBe('automatic');
});

it('who has proposed a change is given nothing to sign either', async () => {
  const id = await proposed();
  expect(await outcome(first().passkeyOptions.mutate({ id }))).toBe('FORBIDDEN');
});

describe('for another service', () => {
  const digest = 'ab'.repeat(32);
  const operatorId = secondAdministrator.operatorId;

  it('intake signs that this operator has confirmed this digest, and to whom it says so', async () => {
    const { administrators } = await intake.peer('terms');
    const asked = { operatorId, digest };
    expect(await outcome(administrators.confirmApproval.mutate(asked))).toBe('PASSKEY_NEEDED');
    const { options } = await administrators.passkeyOptions.mutate(asked);
    const sealedResponse = await sealed(passkey.get({ challenge: options?.challenge ?? '' }));
    const { grant } = await administrators.confirmApproval.mutate({ ...asked, sealedResponse });
    const { keyring } = await intake.ground.peer('terms');
    const { claims } = keyring.verifyStatement(grant, { type: 'rubrica-approval+jwt', issuer: 'intake' });
    expect(claims).toMatchObject({ aud: 'terms', sub: operatorId, digest, factorId: expect.any(String) });
    const again = administrators.confirmApproval.mutate({ ...asked, sealedResponse });
    expect(await outcome(again)).toBe('FORBIDDEN');
  });

  it('a challenge that was made to sign in, or to enrol, confirms nothing', async () => {
    const { administrators } = await intake.peer('terms');
    const gateway = { kind: 'service', name: 'gateway' } as const;
    const ofSignIn = (await intake.client(gateway).tokens.passkeyOptions.mutate({})).challenge;
    const session = await showing(intake, await signIn(intake, { email }));
    const proof = await provenBy(intake, operatorId);
    const begun = await intake.operators(gateway).auth.enrolPasskey.mutate(proof, session);
    const ofEnrolment = 'options' in begun ? begun.options.challenge : '';
    for (const challenge of [ofSignIn, ofEnrolment]) {
      const sealedResponse = await sealed(passkey.get({ challenge }));
      const own = Buffer.from(challenge, 'base64url').toString('hex');
      const call = administrators.confirmApproval.mutate({ operatorId, digest: own, sealedResponse });
      expect(await outcome(call)).toBe('FORBIDDEN');
    }
  });
});
