import { randomUUID } from 'node:crypto';
import { connectBus, createPublisher } from '@rubrica/bus';
import { type Message, type MessageSubject, messageSchemas } from '@rubrica/contracts/messages/messages';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { signMessage } from '@rubrica/wiring';
import { describe, expect, it } from 'vitest';
import { asPartner, makeRegistration, runningIntake } from './support/running-intake.ts';

type Subject = Extract<MessageSubject, `events.certificate.${string}`>;
type Issued = Message<'events.certificate.issued'>;

/** Events by who has generation's database role: its relay signs what stands in the outbox, whoever wrote it there. */
const opened = await disposeAfterAll(new AsyncDisposableStack());

const intake = opened.use(await runningIntake());
const { keyring, streams: access } = await intake.ground.peer('generation');
const streams = await connectBus(access);
opened.defer(() => streams.drain());
const { publish } = createPublisher(streams);
const observer = await connectBus({ ...intake.ground.observer, name: 'observer' });
opened.defer(() => observer.drain());
const manager = await observer.nc.jetstreamManager();
const deadLetters = async () => (await manager.streams.info('DLQ')).state.messages;
const setAside: <S extends Subject>(subject: S, message: Message<S>) => Promise<void> = async (
  subject,
  message,
) => {
  const before = await deadLetters();
  const data = messageSchemas[subject].parse(message);
  await publish({ subject, id: randomUUID(), ...signMessage(keyring, { subject, data, headers: {} }) });
  await pollFor(async () => (await deadLetters()) > before, { what: 'it is a dead letter' });
};

interface Row {
  readonly status: string;
  readonly sealed_password: string | null;
  readonly serial_number: string | null;
  readonly not_after: Date | null;
  readonly evidence_due_at: Date | null;
  readonly retrieval_until: Date | null;
  readonly certificate_status: string | null;
  readonly error_code: string | null;
}

async function rowOf(requestId: string): Promise<Row> {
  const [row] = await intake.query<Row>('select * from intake.request where id = $1', [requestId]);
  if (row === undefined) throw new Error(`no request ${requestId}`);
  return row;
}

async function reaches(requestId: string, status: string): Promise<Row> {
  await pollFor(async () => (await rowOf(requestId)).status === status, { what: status });
  return rowOf(requestId);
}

async function generating(): Promise<string> {
  const { requestId } = await intake
    .client(asPartner('sandbox'))
    .requests.register.mutate(makeRegistration());
  await reaches(requestId, 'GENERATING');
  return requestId;
}

function issued(requestId: string, overrides: Partial<Issued> = {}): Issued {
  return {
    ...{ requestId, attempt: 1, certificateId: uuidv7(), serialNumber: 'ABCDEF0123456789' },
    ...{ notBefore: '2026-11-21T00:00:00.000Z', notAfter: '2027-11-20T23:59:59.000Z' },
    ...{ cappedBy: null, truncated: [], ...overrides },
  };
}

const longAgo = { notBefore: '1990-01-01T00:00:00.000Z', notAfter: '1990-01-02T00:00:00.000Z' };

describe('an event that generation signed and its register does not bear out', () => {
  it('ends no request with a certificate that was not issued, and dates no erasure', async () => {
    const requestId = await generating();
    await setAside('events.certificate.issued', issued(requestId, { serialNumber: 'ABCD', ...longAgo }));
    expect(await rowOf(requestId)).toMatchObject({
      ...{ status: 'GENERATING', serial_number: null, evidence_due_at: null },
      sealed_password: expect.any(String),
    });
    await intake.tell('events.certificate.issued', issued(requestId));
    expect(await reaches(requestId, 'GENERATED')).toMatchObject({ serial_number: 'ABCDEF0123456789' });
  });

  it('names no other certificate than that of the request', async () => {
    const requestId = await generating();
    intake.recordCertificate(issued(requestId));
    await setAside('events.certificate.issued', issued(requestId, { serialNumber: 'ABCD' }));
    expect(await rowOf(requestId)).toMatchObject({ status: 'GENERATING', serial_number: null });
  });

  it('dates nothing: the dates are those of the register', async () => {
    const requestId = await generating();
    intake.recordCertificate(issued(requestId));
    await intake.tell('events.certificate.issued', issued(requestId, longAgo));
    const { not_after, evidence_due_at } = await reaches(requestId, 'GENERATED');
    const end = new Date('2027-11-20T23:59:59.000Z');
    expect(not_after).toEqual(end);
    expect(evidence_due_at).toEqual(new Date(end.getTime() + 3_653 * DAY_MS));
  });

  it('fails no request that has its certificate', async () => {
    const requestId = await generating();
    intake.recordCertificate(issued(requestId));
    await setAside('events.certificate.failed', { requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' });
    expect(await rowOf(requestId)).toMatchObject({ status: 'GENERATING', error_code: null });
  });

  it.each(['APPLICANT_DATA_WRONG', 'SELFIE_MISMATCH', 'RETRY_LIMIT_EXCEEDED'] as const)(
    'finds no %s, which is not generation’s to find',
    async (code) => {
      const requestId = await generating();
      await setAside('events.certificate.failed', { requestId, attempt: 1, code });
      expect(await rowOf(requestId)).toMatchObject({ status: 'GENERATING', error_code: null });
    },
  );

  it('revokes no certificate, and tells its partner of none', async () => {
    const requestId = await generating();
    await intake.tell('events.certificate.issued', issued(requestId));
    await reaches(requestId, 'GENERATED');
    await setAside('events.certificate.status', {
      ...{
        requestId,
        version: 9,
        status: 'REVOKED',
        reason: 'keyCompromise',
        at: '2026-11-22T00:00:00.000Z',
      },
    });
    expect(await rowOf(requestId)).toMatchObject({ certificate_status: null, certificate_version: 0 });
    await intake.tell('events.certificate.status', {
      ...{ requestId, version: 2, status: 'REVOKED', reason: 'superseded', at: '2026-11-23T00:00:00.000Z' },
    });
    await pollFor(async () => (await rowOf(requestId)).certificate_status === 'REVOKED', { what: 'REVOKED' });
  });
});
