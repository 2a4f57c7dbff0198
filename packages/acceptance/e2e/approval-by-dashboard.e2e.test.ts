import {
  approveChange,
  ChallengeRefused,
  createOperatorsClient,
  type OperatorsClient,
} from '@rubrica/operators-client';
import { softwareAuthenticator } from '@rubrica/testkit/software-authenticator';
import { afterAll, expect, it } from 'vitest';
import { invitedAdministrator } from './support/invited-administrator.ts';
import { operatorActor } from './support/operator-actor.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

/** A dashboard of an administrator's own, who approves by a passkey. */
const scene = await closeAfterAll(joinScene());
const proposer = await invitedAdministrator(scene.stack.info());
const approver = await invitedAdministrator(scene.stack.info());
const actor = await operatorActor(approver, 'admin');
const { password: currentPassword } = approver.operators.admin;
const begun = await actor.call('auth.enrolPasskey', { currentPassword });
if (!('options' in begun)) throw new Error('no options were made');
const passkey = softwareAuthenticator(new URL(approver.consoleUrl).origin);
await actor.call('auth.enrolPasskey', { currentPassword, response: passkey.create(begun.options) });

afterAll(async () => {
  const admin = await operatorActor(scene.stack.info(), 'admin');
  for (const info of [proposer, approver]) {
    const { operator } = await (await operatorActor(info, 'admin')).call('auth.sessions', {});
    await admin.call('operators.disable', { operatorId: operator.operatorId });
  }
});

async function proposeInvitation(role: 'viewer' | 'admin'): Promise<string> {
  const proposing = await operatorActor(proposer, 'admin');
  const email = `opr.${crypto.randomUUID().slice(0, 8)}@firmas.example`;
  const answer = await proposing.call('operators.invite', { email, role, language: 'en' });
  return (answer as { readonly approvalId?: string }).approvalId ?? '';
}

async function waiting(): Promise<string[]> {
  const { items } = await (await operatorActor(proposer, 'admin')).call('approvals.list', { limit: 100 });
  return items.map(({ id }) => id);
}

/** @param relay the bodies of calls on their way, as whoever stands between may change them */
async function dashboard(relay: (body: string, url: string) => string = (body) => body) {
  const signed: string[] = [];
  const client = createOperatorsClient({
    url: approver.trpcUrl,
    fetch: (url, init) => fetch(url, { ...init, body: relay(String(init?.body ?? ''), String(url)) }),
  });
  await client.signIn(approver.operators.admin);
  return { client, signed, sign: signInto(signed) };
}

function signInto(signed: string[]) {
  return async ({ challenge }: { readonly challenge: string }) => {
    signed.push(challenge);
    return passkey.get({ challenge });
  };
}

const load = ({ procedures }: OperatorsClient, id: string) => procedures.approvals.get.query({ id });

it('a dashboard approves a change by a passkey that signs what it has shown', async () => {
  const id = await proposeInvitation('viewer');
  const { client, signed, sign } = await dashboard();
  const { change } = await approveChange(client, await load(client, id), { sign, reason: 'a new colleague' });
  expect(change.procedure).toBe('operators.invite');
  expect(signed).toHaveLength(1);
  expect(await waiting()).not.toContain(id);
});

it('a gateway that passes on the challenge of another change gets no signature from a dashboard', async () => {
  const shown = await proposeInvitation('viewer');
  const hidden = await proposeInvitation('admin');
  const { client, signed, sign } = await dashboard((body, url) =>
    /approvals\.(passkeyOptions|approve)/.test(url) ? body.replaceAll(shown, hidden) : body,
  );
  const approval = approveChange(client, await load(client, shown), { sign });
  await expect(approval).rejects.toThrow(ChallengeRefused);
  expect(signed).toEqual([]);
  expect(await waiting()).toEqual(expect.arrayContaining([shown, hidden]));
  for (const id of [shown, hidden])
    await (await operatorActor(proposer, 'admin')).call('approvals.reject', { id });
});
