import { createHash, randomUUID } from 'node:crypto';
import { connectBus, createPublisher } from '@rubrica/bus';
import type { Message } from '@rubrica/contracts/messages/messages';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, pollFor, type TestPeer } from '@rubrica/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asPartner, makeRegistration, type RunningIntake, runningIntake } from './support/running-intake.ts';

/** Events in generation's name, by who has the password of its user on the bus and not its key file. */
const opened = await disposeAfterAll(new AsyncDisposableStack());

const intake = opened.use(await runningIntake());
const generation = await intake.ground.peer('generation');
const streams = await connectBus(generation.streams);
opened.defer(() => streams.drain());
const publisher = createPublisher(streams);

async function generating(of: RunningIntake = intake): Promise<string> {
  const { requestId } = await of.client(asPartner('sandbox')).requests.register.mutate(makeRegistration());
  await pollFor(async () => (await statusOf(requestId, of)) === 'GENERATING', { what: 'it is generating' });
  return requestId;
}

async function statusOf(requestId: string, of: RunningIntake = intake): Promise<string> {
  const status = of.client(asPartner('sandbox')).requests.status;
  return (await status.query({ family: 'TV', requestId })).status;
}

function issued(requestId: string): Message<'events.certificate.issued'> {
  return {
    requestId,
    attempt: 1,
    certificateId: uuidv7(),
    serialNumber: 'ABCDEF0123456789',
    notBefore: '2026-11-21T00:00:00.000Z',
    notAfter: '2027-11-20T23:59:59.000Z',
    cappedBy: null,
    truncated: [],
  };
}

/** What each event would do where it were believed. */
const falseEvents = {
  'events.certificate.failed': (requestId: string) => ({
    requestId,
    attempt: 1,
    code: 'KEY_GENERATION_FAILED',
  }),
  'events.certificate.issued': issued,
  'events.certificate.status': (requestId: string) => ({
    requestId,
    version: 9,
    status: 'REVOKED',
    reason: 'keyCompromise',
    at: '2026-11-21T00:00:00.000Z',
  }),
} as const;
type Subject = keyof typeof falseEvents;

/** Publishes, and waits until intake has set it aside. */
async function setAside(subject: Subject, data: object, headers: Record<string, string> = {}): Promise<void> {
  const before = await deadLetters();
  await publisher.publish({ subject, id: randomUUID(), data, headers });
  await pollFor(async () => (await deadLetters()) > before, { what: 'it is a dead letter' });
}

async function deadLetters(): Promise<number> {
  const observer = await connectBus({ ...intake.ground.observer, name: 'observer' });
  try {
    return (await (await observer.nc.jetstreamManager()).streams.info('DLQ')).state.messages;
  } finally {
    await observer.close();
  }
}

const statement = (claims: object, of: Pick<TestPeer, 'keyring'> = generation) => ({
  'rubrica-statement': of.keyring.signStatement('rubrica-message+jwt', claims),
});

const sha256 = (data: object) => createHash('sha256').update(JSON.stringify(data)).digest('hex');

describe('an event of generation that generation has not signed', () => {
  it.each(Object.keys(falseEvents) as Subject[])('%s changes nothing', async (subject) => {
    const requestId = await generating();
    await setAside(subject, falseEvents[subject](requestId));
    expect(await statusOf(requestId)).toBe('GENERATING');
    const [row] = await intake.query(
      'select serial_number as "serialNumber", certificate_status as "certificateStatus" from intake.request where id = $1',
      [requestId],
    );
    expect(row).toEqual({ serialNumber: null, certificateStatus: null });
  });

  it('changes nothing with the statement of another event, another subject, or another service', async () => {
    const [requestId, other] = [await generating(), await generating()];
    const data = falseEvents['events.certificate.failed'](requestId);
    const subject = 'events.certificate.failed';
    const statements = [
      statement({ sub: subject, sha256: sha256(falseEvents[subject](other)) }),
      statement({ sub: 'events.certificate.issued', sha256: sha256(data) }),
      statement({ sub: subject, sha256: sha256(data) }, await intake.ground.peer('notifier')),
    ];
    for (const headers of statements) await setAside(subject, data, headers);
    expect(await statusOf(requestId)).toBe('GENERATING');
  });

  it('counts with its own', async () => {
    const requestId = await generating();
    await intake.tell('events.certificate.issued', issued(requestId));
    await pollFor(async () => (await statusOf(requestId)) === 'GENERATED', { what: 'it is generated' });
  });

  it('counts during an upgrade, and not with a statement that is wrong', async () => {
    const upgrading = await runningIntake({ BUS_SEALS: 'accepted' });
    onTestFinished(() => upgrading[Symbol.asyncDispose]());
    const streams = await connectBus((await upgrading.ground.peer('generation')).streams);
    onTestFinished(() => streams.drain());
    const [requestId, other] = [await generating(upgrading), await generating(upgrading)];
    const tell = (event: object, headers: Record<string, string> = {}) => {
      const message = { subject: 'events.certificate.issued', id: randomUUID(), data: event, headers };
      return createPublisher(streams).publish(message);
    };
    const certificates = [issued(other), issued(requestId)] as const;
    for (const one of certificates) upgrading.recordCertificate(one);
    await tell(certificates[0], { 'rubrica-statement': 'a.b.c' });
    await tell(certificates[1]);
    await pollFor(async () => (await statusOf(requestId, upgrading)) === 'GENERATED', {
      what: 'it is generated',
    });
    expect(await statusOf(other, upgrading)).toBe('GENERATING');
  });
});
