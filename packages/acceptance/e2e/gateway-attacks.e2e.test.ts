import type { OperatorPath } from '@rubrica/contracts/operators/procedures';
import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { toAppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { signAccessToken, signCallToken } from '@rubrica/process/tokens';
import { disposeAfterAll } from '@rubrica/testkit';
import { type AskForOperator, createOperatorCalls, createPeers, type Prove } from '@rubrica/wiring';
import { describe, expect, it } from 'vitest';
import { queryStack } from './support/ledger.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';
import { stolenBus, stolenKeys } from './support/stolen-service.ts';

/**
 * What an attacker gets with the gateway's user on the bus and its key files, of a stack that runs: whatever he signs,
 * he acts as nobody who has not shown a token at the door.
 */
const owned = await disposeAfterAll(new AsyncDisposableStack());

const scene = await closeAfterAll(joinScene());
const keyring = await stolenKeys(scene, 'gateway');

type Forge = (caller: VouchedCaller, receiver: Parameters<Prove>[1]) => Promise<string> | string;

const sealedAccessToken: Forge = (caller) => {
  const options = { baseUrl: scene.stack.info().baseUrl, nowMs: Date.now(), lifeSeconds: 60 };
  const token = signAccessToken(keyring, { caller, gen: 1 }, options);
  return keyring.sealTo('intake', token, { purpose: 'door-token', owner: 'gateway' });
};
/** What the gateway's keys can make of a caller. */
const forgeries: Readonly<Record<string, Forge>> = {
  'an access token of its own, sealed to intake': sealedAccessToken,
  'a call token of its own': (caller, receiver) =>
    signCallToken(keyring, caller, { receiver, givenTo: 'gateway', nowMs: Date.now() }),
  'the words of who calls alone': (caller) =>
    keyring.signStatement('rubrica-identity+jwt', { ...caller, iss: 'intake' }),
};

async function connect() {
  const bus = await stolenBus(scene, 'gateway', keyring);
  owned.defer(() => bus.drain());
  return bus;
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'OK',
    (error: unknown) => toAppError(error).code,
  );

/** One who is signed in nowhere, and one whom nobody has ever named. */
async function administrators() {
  const [row] = await queryStack<{ operatorId: string; email: string }>(
    scene.stack,
    `select id as "operatorId", email from intake.operator where role = 'admin' limit 1`,
  );
  const real = { kind: 'operator', role: 'admin', operatorId: '', email: '', ...row } as const;
  return [real, { ...real, operatorId: uuidv7(), email: 'nobody@example.com' }];
}

async function issued() {
  const { sandbox } = scene.partners;
  const { requestId, reference } = await sandbox.accepted();
  const { body } = await sandbox.hears(reference, 'certificate.issued');
  return { requestId, reference, serialNumber: String(body.serialNumber) };
}

describe.each(Object.entries(forgeries))('gateway, by %s', (_, forge) => {
  it('act as an administrator who does not exist, make a partner, revoke a certificate: does nothing of it', async () => {
    const { serialNumber } = await issued();
    const [terms] = await queryStack<{ id: string }>(
      scene.stack,
      'select id from terms.terms_version limit 1',
    );
    const bus = await connect();
    const prove: Prove = (caller, receiver) => forge(caller, receiver);
    const ask: AskForOperator = createOperatorCalls({ bus, prove, timeoutMs: 5_000 });
    const tried: readonly (readonly [OperatorPath, object])[] = [
      ['partners.list', {}],
      ['partners.create', { name: 'Mallory', email: 'mallory@example.com', scopes: ['collector:write'] }],
      ['certificates.revoke', { serialNumber, revocationReason: 'keyCompromise' }],
      ['terms.activate', { id: terms?.id }],
      ['deliveries.search', {}],
    ];
    for (const operator of await administrators())
      for (const [path, input] of tried)
        expect([path, await codeOf(ask(path, input, { for: operator }))]).toEqual([path, 'UNAUTHENTICATED']);
    const partners = await queryStack(scene.stack, `select 1 from intake.partner where name = 'Mallory'`);
    expect(partners).toEqual([]);
    const [certificate] = await queryStack<{ revoked: boolean }>(
      scene.stack,
      'select revoked_at is not null as revoked from generation.certificate where serial = $1',
      [serialNumber],
    );
    expect(certificate).toEqual({ revoked: false });
  });

  it('act as any partner: sees and changes no request of theirs', async () => {
    const { requestId, reference } = await issued();
    const [partner] = await queryStack<{ partnerId: string; clientId: string }>(
      scene.stack,
      'select partner_id as "partnerId", client_id as "clientId" from intake.request join intake.partner on partner.id = partner_id where request.id = $1',
      [requestId],
    );
    const scopes: Scope[] = ['status:read', 'manager:write'];
    const caller = { kind: 'partner' as const, scopes, partnerId: '', clientId: '', ...partner };
    const prove: Prove = (who, receiver) => forge(who, receiver);
    const { intake } = createPeers({ self: 'gateway', bus: await connect(), prove, timeoutMs: 5_000 });
    const name = { family: 'TV', referenceTransaction: reference } as const;
    expect(await codeOf(intake['requests.status'](name, { for: caller }))).toBe('UNAUTHENTICATED');
    const cancelled = intake['requests.cancel']({ ...name, faults: [] }, { for: caller });
    expect(await codeOf(cancelled)).toBe('UNAUTHENTICATED');
  });
});

describe('gateway, by a token that was shown to it', () => {
  it('acts as that operator at each service, and so knows that the refusals are not for another reason', async () => {
    const { accessToken } = await signedIn();
    const bus = await connect();
    const { intake } = createPeers({ self: 'gateway', bus, timeoutMs: 5_000 });
    const sealed = await keyring.sealTo('intake', accessToken, { purpose: 'door-token', owner: 'gateway' });
    const prove: Prove = async (_, receiver) => {
      if (receiver === 'intake') return sealed;
      const asked = { sealedToken: sealed, receiver: receiver as 'terms' };
      return (await intake['tokens.forCall'](asked)).callToken;
    };
    const ask = createOperatorCalls({ bus, prove, timeoutMs: 5_000 });
    const [operator] = await administrators();
    if (operator === undefined) throw new Error('the stack has administrators');
    for (const path of ['partners.list', 'certificates.search', 'terms.list', 'deliveries.search'] as const)
      expect([path, await codeOf(ask(path, {}, { for: operator }))]).toEqual([path, 'OK']);
  });
});

async function signedIn(): Promise<{ accessToken: string }> {
  const { baseUrl, operators } = scene.stack.info();
  const { email, password } = operators.admin;
  const answer = await fetch(`${baseUrl}/trpc/auth.signIn`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { result } = (await answer.json()) as { result: { data: { accessToken: string } } };
  return result.data;
}
