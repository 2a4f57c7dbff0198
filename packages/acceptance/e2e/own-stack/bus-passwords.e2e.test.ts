import { createPublisher } from '@rubrica/bus';
import type { Caller } from '@rubrica/contracts/shared/caller';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { toAppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { signCallToken } from '@rubrica/process/tokens';
import { disposeAfterAll } from '@rubrica/testkit';
import { createOperatorCalls, createPeers } from '@rubrica/wiring';
import { afterEach, describe, expect, it } from 'vitest';
import { queryStack } from '../support/ledger.ts';
import { operatorActor } from '../support/operator-actor.ts';
import { until } from '../support/poll.ts';
import { openScene } from '../support/scene.ts';
import { errorsLogged, type LogLine } from '../support/service-logs.ts';
import { stolenBus, stolenKeys, stolenStreams } from '../support/stolen-service.ts';

let opened: AsyncDisposableStack;

/** What an attacker gets who has the bus password of a service, of one or of two, and no key file: nothing. */
const scene = await disposeAfterAll(openScene());
const admin = await operatorActor(scene.stack.info(), 'admin');

afterEach(() => opened?.[Symbol.asyncDispose]());

interface Heard {
  readonly subject: string;
  readonly text: string;
  readonly headers: string;
}

/** Listens with the password of a service; `queue` takes messages away from it. */
async function listen(service: 'gateway' | 'intake', subject: string, queue?: string): Promise<Heard[]> {
  opened = new AsyncDisposableStack();
  const bus = await stolenBus(scene, service);
  opened.defer(() => bus.close());
  const heard: Heard[] = [];
  bus.nc.subscribe(subject, {
    ...(queue === undefined ? {} : { queue }),
    callback: (error, message) => {
      if (error !== null) return;
      const [text, headers] = [Buffer.from(message.data).toString('latin1'), String(message.headers ?? '')];
      heard.push({ subject: message.subject, text, headers });
    },
  });
  await bus.nc.flush();
  return heard;
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'OK',
    (error: unknown) => toAppError(error).code,
  );

describe('the password of intake on the bus', () => {
  it('copies no call to intake', async () => {
    const heard = await listen('intake', 'rpc.v2.intake.>');
    await scene.partners.sandbox.accepted();
    expect(heard).toEqual([]);
  });

  it('reads nothing of the calls that it takes away from intake', async () => {
    const heard = await listen('intake', 'rpc.v2.intake.>', 'intake');
    const registered = () => heard.find(({ subject }) => subject.endsWith('.requests.register'));
    const email = 'secret.person@correo.example';
    await until('a registration that was taken away', async () => {
      await scene.partners.sandbox.register({ email });
      return registered();
    });
    expect(heard.map(({ headers }) => headers).join('')).toBe('');
    expect(heard.map(({ text }) => text).join('')).not.toMatch(/secret\.person|Bearer|eyJ/);
  });

  it('has no letter sent where it wants', async () => {
    opened = new AsyncDisposableStack();
    const bus = await stolenBus(scene, 'intake');
    opened.defer(() => bus.close());
    const keyring = await stolenKeys(scene, 'terms');
    const victim = 'ceo@victim.example';
    const requestId = uuidv7();
    const sealedSecret = await keyring.sealTo('notifier', 'x'.repeat(43), {
      purpose: 'claim-link',
      owner: requestId,
    });
    const letter = {
      ...{ requestId, channel: 'email', template: 'claim', language: 'es', to: victim, sealedSecret },
      ...{ applicantName: 'ROSA ELENA', partnerName: 'Banco', partnerEmail: 'soporte@evil.example' },
      ...{
        linkPrefix: 'https://evil.example/claim/',
        expiresAt: new Date(Date.now() + DAY_MS).toISOString(),
      },
    };
    let taken = 0;
    bus.nc.subscribe('rpc.v2.intake.notifier.messages.get', {
      queue: 'intake',
      callback: (error, message) => {
        if (error !== null) return;
        taken += 1;
        const messageId = /"messageId":"([^"]+)"/.exec(Buffer.from(message.data).toString())?.[1] ?? uuidv7();
        message.respond(JSON.stringify({ result: { data: { ...letter, messageId } } }));
      },
    });
    await bus.nc.flush();
    const applicants: string[] = [];
    await until('letters that were asked for here', async () => {
      const email = `${uuidv7()}@correo.example`;
      await scene.partners.otp.accepted({ email, password: undefined });
      applicants.push(email);
      return taken > 1 || undefined;
    });
    const letters = async (to: string): Promise<unknown[]> => {
      const found = await fetch(`${scene.stack.info().mailUrl}/messages?${new URLSearchParams({ to })}`);
      return (await found.json()) as unknown[];
    };
    const isSent = async (email: string) =>
      (await letters(email)).length > 0 || (await letters(victim)).length > 0;
    await opened.disposeAsync();
    for (const email of applicants) await until('a letter', async () => (await isSent(email)) || undefined);
    expect(await letters(victim)).toEqual([]);
  });
});

describe('the password of the gateway on the bus', () => {
  it('reads no answer, and hears no call token of an operator', async () => {
    const heard = await listen('gateway', '_INBOX_gateway.>');
    await admin.call('certificates.search', {});
    await admin.call('requests.search', {});
    expect(heard.length).toBeGreaterThan(1);
    expect(heard.map(({ text }) => text).join('')).not.toMatch(/callToken|eyJ|"result"/);
  });

  it('acts as no operator with a token that it has heard, at any service', async () => {
    opened = new AsyncDisposableStack();
    const bus = await stolenBus(scene, 'gateway');
    opened.defer(() => bus.close());
    const [row] = await queryStack<{ operatorId: string; email: string }>(
      scene.stack,
      'select id as "operatorId", email from intake.operator where email = $1',
      [admin.email],
    );
    const operator = { kind: 'operator', role: 'admin', operatorId: '', email: '', ...row } as const;
    // As intake signs it, and as it was heard in the gateway's inbox before answers were sealed.
    const intake = await stolenKeys(scene, 'intake');
    const ask = createOperatorCalls({
      bus,
      timeoutMs: 5_000,
      prove: (_, receiver) =>
        signCallToken(intake, operator, { receiver, givenTo: 'gateway', nowMs: Date.now() }),
    });
    const codes = await Promise.all([
      codeOf(ask('certificates.search', {}, { for: operator })),
      codeOf(ask('terms.list', {}, { for: operator })),
    ]);
    expect(codes).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
  });

  it('shows no sealed token of a partner or an operator again, with a call of its own', async () => {
    opened = new AsyncDisposableStack();
    const bus = await stolenBus(scene, 'gateway');
    opened.defer(() => bus.close());
    const { sandbox } = scene.partners;
    // As the gateway seals it, and as intake's user heard it before calls were sealed.
    const gateway = await stolenKeys(scene, 'gateway');
    const prove = () => gateway.sealTo('intake', sandbox.token, { purpose: 'door-token', owner: 'gateway' });
    const peers = createPeers({ self: 'gateway', bus, prove, timeoutMs: 5_000 });
    const [row] = await queryStack<{ partnerId: string; clientId: string }>(
      scene.stack,
      'select id as "partnerId", client_id as "clientId" from intake.partner where client_id = $1',
      [scene.stack.info().partners.sandbox.clientId],
    );
    const partner: Extract<Caller, { kind: 'partner' }> = {
      kind: 'partner',
      partnerId: row?.partnerId ?? '',
      clientId: row?.clientId ?? '',
      scopes: ['status:read'],
    };
    const usage = peers.intake['requests.usage']({}, { for: partner });
    expect(await codeOf(usage)).toBe('SERVICE_UNAVAILABLE');
    expect(await codeOf(peers.intake['clock.read']({}))).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('the password of generation on the bus', () => {
  it('answers no question about a certificate', async () => {
    opened = new AsyncDisposableStack();
    const bus = await stolenBus(scene, 'generation');
    opened.defer(() => bus.close());
    const recorded = Buffer.from('a recorded list').toString('base64');
    let taken = 0;
    bus.nc.subscribe('rpc.v2.generation.>', {
      queue: 'generation',
      callback: (error, message) => {
        if (error !== null || !message.subject.endsWith('.pki.file')) return;
        taken += 1;
        const data = {
          content: recorded,
          octets: 15,
          mediaType: 'application/pkix-crl',
          maxAgeSeconds: 1,
          etag: 'abc',
          lastModified: '2026-11-20T10:00:00.000Z',
        };
        for (const id of [1, 2, 3, undefined])
          bus.nc.publish(message.reply ?? '', JSON.stringify({ id, result: { data } }));
      },
    });
    await bus.nc.flush();
    const served: string[] = [];
    await until('a list that was asked for here', async () => {
      // Not from the gateway's memory.
      const response = await fetch(`${scene.stack.info().pki.crl}?${taken}`, {
        signal: AbortSignal.timeout(8_000),
      }).catch(() => undefined);
      if (response?.ok) served.push(Buffer.from(await response.arrayBuffer()).toString('latin1'));
      return taken > 0 || undefined;
    });
    expect(served.filter((one) => one.includes('a recorded list'))).toEqual([]);
  });

  it('ends no request by an event in its name', async () => {
    opened = new AsyncDisposableStack();
    const streams = await stolenStreams(scene, 'generation');
    opened.defer(() => streams.close());
    const { sandbox } = scene.partners;
    const { requestId, reference } = await sandbox.accepted();
    const failed = { requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' };
    const { publish } = createPublisher(streams);
    await publish({ subject: 'events.certificate.failed', id: `false-${requestId}`, data: failed });
    await sandbox.reaches(reference, 'GENERATED');
    const revoked = {
      requestId,
      version: 99,
      status: 'REVOKED',
      reason: 'keyCompromise',
      at: new Date().toISOString(),
    };
    await publish({ subject: 'events.certificate.status', id: `status-${requestId}`, data: revoked });
    await until('dead letters', async () => {
      const lines = (await errorsLogged(scene.stack.home, {})) as (LogLine & {
        readonly messageId?: string;
      })[];
      const setAside = new Set(lines.map(({ messageId }) => messageId));
      return setAside.has(`false-${requestId}`) && setAside.has(`status-${requestId}`) ? true : undefined;
    });
    expect((await sandbox.view(reference)).certificateStatus).toBe('VALID');
  });
});
