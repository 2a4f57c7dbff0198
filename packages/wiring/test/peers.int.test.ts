import { type Bulkhead, connectBus, serveRouter } from '@rubrica/bus';
import { toServiceSubject } from '@rubrica/contracts/services/subjects';
import type { Caller, VouchedCaller } from '@rubrica/contracts/shared/caller';
import { services } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { createLogger } from '@rubrica/process/log';
import { createCallContext } from '@rubrica/process/trpc';
import { disposeAfterAll, testNats } from '@rubrica/testkit';
import { fakeHandlers } from '@rubrica/testkit/fakes';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPeers, type Implementation, implement } from '../src/index.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const at = '2026-11-20T10:00:00.000Z';
const partner: Extract<Caller, { kind: 'partner' }> = {
  kind: 'partner',
  partnerId: id,
  clientId: 'c',
  scopes: ['status:read'],
};
const retrieval = { requestId: id, referenceTransaction: 'TX-1', results: [], grant: 'a grant' };
const request = { family: 'FT', requestId: id } as const;

/** Says for whom a call is made without a key: tokens are intake's own matter. */
const prove = (caller: VouchedCaller) => Buffer.from(JSON.stringify(caller)).toString('base64url');
const identify = (token: string) => JSON.parse(Buffer.from(token, 'base64url').toString()) as VouchedCaller;
const nats = await disposeAfterAll(testNats());
const answering = await disposeAfterAll(connectBus({ servers: nats.url, name: 'intake' }));
const asking = await disposeAfterAll(connectBus({ servers: nats.url, name: 'gateway' }));

type Part = Partial<Implementation<'intake'>['calls']>;

async function playIntake(calls: Part, bulkheadFor?: (path: string) => Bulkhead | undefined): Promise<void> {
  const logger = createLogger({ service: 'intake', level: 'silent', format: 'json' });
  const served = await serveRouter(answering, {
    router: implement('intake', fakeHandlers({ calls })).calls,
    subjectPrefix: toServiceSubject('rpc', 'intake'),
    callers: services,
    queue: 'intake',
    createContext: createCallContext(identify, logger),
    ...(bulkheadFor && { bulkheadFor }),
  });
  onTestFinished(() => served.stop());
}

/** Long enough for any answer; short where none comes. */
const [patientMs, briefMs] = [20_000, 400];

const intakeOf = (repeats: boolean, timeoutMs = patientMs) =>
  createPeers({ self: 'gateway', bus: asking, prove, timeoutMs, repeats }).intake;

const retrieve = (repeats: boolean, timeoutMs = patientMs) =>
  intakeOf(repeats, timeoutMs)['requests.openRetrieval'](request, { for: partner });

describe('a call to a peer', () => {
  it('is made for whom it names, and answered in the words of its row', async () => {
    const seen: Caller[] = [];
    await playIntake({
      'requests.openRetrieval': (_, { caller }) => {
        seen.push(caller);
        return retrieval;
      },
    });
    expect(await retrieve(false)).toEqual(retrieval);
    expect(seen).toEqual([partner]);
  });

  it('is made for the service itself where its row asks for nobody else', async () => {
    const seen: Caller[] = [];
    await playIntake({
      'partners.contact': () => ({ partnerId: id, name: 'P', email: 'p@x.ec', language: 'es' }),
      'tokens.exchange': (_, { caller }) => {
        seen.push(caller);
        return { sealedAccessToken: 'none', expiresInSeconds: 60 };
      },
    });
    await intakeOf(false)['tokens.exchange']({ sealedToken: 'sealed' });
    expect(seen).toEqual([{ kind: 'service', name: 'gateway' }]);
  });

  it('of a bulkhead that other callers have filled is refused for now, and others are answered', async () => {
    const { promise, resolve } = Promise.withResolvers<{ challenge: 'code' }>();
    const calls = {
      'tokens.signIn': () => promise,
      'tokens.exchange': () => ({ sealedAccessToken: 'none', expiresInSeconds: 60 }),
    };
    const apart = { name: 'passwords', maxInFlight: 1 };
    await playIntake(calls, (path) => (path === 'tokens.signIn' ? apart : undefined));
    const shown = { email: 'a@b.ec', sealedPassword: 'sealed', address: '203.0.113.1' };
    const both = [intakeOf(true)['tokens.signIn'](shown), intakeOf(true)['tokens.signIn'](shown)];
    const refusal = await Promise.race(
      both.map((one) =>
        one.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    expect(refusal).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 5 });
    expect(await intakeOf(false)['tokens.exchange']({ sealedToken: 'sealed' })).toBeDefined();
    resolve({ challenge: 'code' });
    const ends = (await Promise.allSettled(both)).map(({ status }) => status);
    expect(ends.sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('fails with the error that the peer has thrown, whole', async () => {
    await playIntake({
      'requests.openRetrieval': () => {
        throw new AppError({ code: 'CERTIFICATE_NOT_FOUND', publicMessage: 'kept no longer' });
      },
    });
    await expect(retrieve(true)).rejects.toMatchObject({
      code: 'CERTIFICATE_NOT_FOUND',
      publicMessage: 'kept no longer',
    });
  });

  it('that nobody answers is SERVICE_UNAVAILABLE', async () => {
    await expect(retrieve(false)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 2,
    });
  });

  it('exists only for a service that its row names', () => {
    expect(Object.keys(intakeOf(false))).not.toContain('issuance.order');
  });
});

describe('a repeat', () => {
  /** The first call is not answered before the second has come, or the test ends. */
  async function playForgetful(second: () => typeof retrieval): Promise<{ calls(): number }> {
    let calls = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await playIntake({
      'requests.openRetrieval': async () => {
        calls += 1;
        if (calls === 1) await released;
        else release();
        return calls === 1 ? retrieval : second();
      },
    });
    onTestFinished(() => release());
    return { calls: () => calls };
  }

  it('follows where nobody answered in time and the row allows it', async () => {
    const intake = await playForgetful(() => retrieval);
    expect(await retrieve(true, briefMs)).toEqual(retrieval);
    expect(intake.calls()).toBe(2);
  });

  it('does not follow for a service whose work comes again by itself', async () => {
    const intake = await playForgetful(() => retrieval);
    await expect(retrieve(false, briefMs)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(intake.calls()).toBe(1);
  });

  it('whose answer is a refusal says that the first call may have been carried out', async () => {
    await playForgetful(() => {
      throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
    });
    const fault = await retrieve(true, briefMs).catch((error: unknown) => error as AppError);
    expect(fault).toMatchObject({ code: 'CERTIFICATE_NOT_FOUND' });
    expect((fault as AppError).cause).toMatchObject({ name: 'NotAnswered' });
  });

  it('does not follow where the row does not allow it', async () => {
    let calls = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await playIntake({
      'claims.sendCode': async () => {
        calls += 1;
        await released;
        return { sentTo: '', channel: 'sms', expiresAt: at, nextCodeAt: at };
      },
    });
    onTestFinished(() => release());
    const call = intakeOf(true, briefMs)['claims.sendCode']({ sealedToken: 'a', language: 'es' });
    await expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(calls).toBe(1);
  });
});
