import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applicant, idMadeAt, testClient } from './client.ts';
import { errorAnswer, type Scripted, type ScriptedService, scriptedService } from './scripted-service.ts';

let service: ScriptedService;

beforeEach(async () => {
  service = await scriptedService();
});
afterEach(() => service[Symbol.asyncDispose]());

const named = { referenceTransaction: 'TX-1' };
const ok = { body: { status: 'GENERATED' } };
const down = errorAnswer(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '2' });
const duplicate = errorAnswer(409, 'DUPLICATED_REFERENCE_TRANSACTION');
const notAllowed = errorAnswer(409, 'REQUEST_STATE_NOT_ALLOWED');
const paths = () => service.calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`);

describe('a query', () => {
  it.each<[string, Scripted]>([
    ['a broken connection', 'reset'],
    ['a 503', down],
    ['a 502 of a proxy', { status: 502 }],
    ['a 429', errorAnswer(429, 'RATE_LIMITED', { 'retry-after': '1' })],
  ])('is made again after %s', async (_what, failure) => {
    const { rubrica } = testClient(service);
    service.script(failure, ok);
    expect(await rubrica.linkedPartner.status(named)).toEqual(ok.body);
    expect(service.calls).toHaveLength(2);
  });

  it('waits as long as Retry-After says, and twice as long each time without it', async () => {
    const { rubrica, pauses } = testClient(service);
    service.script(errorAnswer(429, 'RATE_LIMITED', { 'retry-after': '7' }), 'reset', 'reset', ok);
    await rubrica.linkedPartner.status(named);
    expect(pauses).toEqual([7_350, 500, 1_000]);
  });

  it('does not wait longer than was allowed', async () => {
    const { rubrica, pauses } = testClient(service, { maxWaitMs: 5_000 });
    service.script(errorAnswer(429, 'RATE_LIMITED', { 'retry-after': '6' }));
    await expect(rubrica.linkedPartner.status(named)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 6_000,
    });
    expect(pauses).toEqual([]);
  });

  it('is given up after as many attempts as were allowed', async () => {
    const { rubrica } = testClient(service, { maxAttempts: 3 });
    service.script(down, down, down, ok);
    await expect(rubrica.linkedPartner.status(named)).rejects.toMatchObject({ status: 503 });
    expect(service.calls).toHaveLength(3);
  });

  it.each([400, 403, 404, 409, 412, 500])('is not made again after a %d', async (status) => {
    const { rubrica } = testClient(service);
    service.script(errorAnswer(status, 'INTERNAL_ERROR'));
    await expect(rubrica.linkedPartner.status(named)).rejects.toMatchObject({ status });
    expect(service.calls).toHaveLength(1);
  });
});

describe('a registration of which nobody knows whether it was taken', () => {
  const recordMadeAt = (ms: number) => ({
    body: { simplifiedRequestId: idMadeAt(ms), ...named, status: 'VALIDATING', validationStatus: 'PENDING' },
  });

  it.each<[string, Scripted]>([
    ['the connection broke', 'reset'],
    ['a 503 came', down],
  ])('is made again, and what was taken is found by its reference: %s', async (_what, failure) => {
    const { rubrica, clock } = testClient(service);
    service.script(failure, duplicate, recordMadeAt(clock.now));
    expect(await rubrica.simplified.register(applicant)).toEqual({
      ...recordMadeAt(clock.now - 1).body,
      simplifiedRequestId: expect.any(String),
      recovered: true,
    });
    expect(paths()).toEqual([
      'POST /collector/simplified/request',
      'POST /collector/simplified/request',
      'GET /middleware/simplified/request/status',
    ]);
    expect(service.calls[2]?.path).toContain('?referenceTransaction=TX-1');
  });

  it('is answered as usual where the repeat was the first to be taken', async () => {
    const { rubrica } = testClient(service);
    service.script('reset', { body: { simplifiedRequestId: 'a' } });
    expect(await rubrica.simplified.register(applicant)).toEqual({
      simplifiedRequestId: 'a',
      recovered: false,
    });
  });

  it('is not taken for an older one with the same reference', async () => {
    const { rubrica, clock } = testClient(service);
    service.script('reset', duplicate, recordMadeAt(clock.now - HOUR_MS));
    await expect(rubrica.simplified.register(applicant)).rejects.toMatchObject({
      code: 'DUPLICATED_REFERENCE_TRANSACTION',
    });
  });

  it('is said to be unknown where the record cannot be asked for', async () => {
    const { rubrica } = testClient(service);
    service.script('reset', duplicate, errorAnswer(403, 'FORBIDDEN'));
    await expect(rubrica.simplified.register(applicant)).rejects.toMatchObject({
      code: 'DUPLICATED_REFERENCE_TRANSACTION',
      outcomeUnknown: true,
    });
  });

  it('is said to be unknown where no attempt was answered', async () => {
    const { rubrica } = testClient(service, { maxAttempts: 2 });
    service.script('reset', errorAnswer(429, 'RATE_LIMITED'));
    await expect(rubrica.simplified.register(applicant)).rejects.toMatchObject({
      status: 429,
      outcomeUnknown: true,
    });
  });

  it('is a plain duplicate where the first attempt was answered so', async () => {
    const { rubrica } = testClient(service);
    service.script(duplicate);
    await expect(rubrica.simplified.register(applicant)).rejects.toMatchObject({
      status: 409,
      outcomeUnknown: false,
    });
    expect(service.calls).toHaveLength(1);
  });

  it('stays a plain duplicate after a 429, which was not carried out', async () => {
    const { rubrica } = testClient(service);
    service.script(errorAnswer(429, 'RATE_LIMITED'), duplicate);
    await expect(rubrica.simplified.register(applicant)).rejects.toMatchObject({
      status: 409,
      outcomeUnknown: false,
    });
    expect(service.calls).toHaveLength(2);
  });
});

describe('what counts each time', () => {
  it('is not made again where it may have been carried out', async () => {
    const { rubrica } = testClient(service);
    service.script('reset', down);
    await expect(rubrica.linkedPartner.retry(named)).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      outcomeUnknown: true,
    });
    await expect(rubrica.linkedPartner.retry(named)).rejects.toMatchObject({
      status: 503,
      outcomeUnknown: true,
    });
    expect(service.calls).toHaveLength(2);
  });

  it('is made again where an outside system did not answer, which uses up no attempt', async () => {
    const { rubrica } = testClient(service);
    service.script(errorAnswer(503, 'EXTERNAL_SERVICE_UNAVAILABLE', { 'retry-after': '5' }), {
      body: { result: 'APPROVED' },
    });
    const images = { identificationFront: 'aa', identificationSelfie: 'aa' };
    expect(await rubrica.signature.validateIdentity({ signatureRequestId: 'id', ...images })).toEqual({
      result: 'APPROVED',
    });
    expect(service.calls).toHaveLength(2);
  });

  it('is made again after a 429, and where no connection was made', async () => {
    const { rubrica } = testClient(service);
    service.script(errorAnswer(429, 'RATE_LIMITED'), ok);
    expect(await rubrica.linkedPartner.retry(named)).toEqual(ok.body);
    const closed = await scriptedService();
    await closed[Symbol.asyncDispose]();
    const refused = testClient(closed, { apiToken: 'rbk_a', clientId: undefined } as never);
    await expect(refused.rubrica.linkedPartner.retry(named)).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      outcomeUnknown: false,
    });
    expect(refused.pauses).toHaveLength(3);
  });
});

describe('what can be done but once', () => {
  it('is done where the repeat is refused because of it', async () => {
    const { rubrica } = testClient(service);
    service.script('reset', notAllowed, { body: { ...named, status: 'CANCELLED' } });
    expect(await rubrica.linkedPartner.cancel({ ...named, reason: 'no longer needed' })).toEqual({
      ...named,
      status: 'CANCELLED',
      recovered: true,
    });
    expect(service.calls[2]?.path).toBe('/middleware/signature-request/status?referenceTransaction=TX-1');
    service.script(down, errorAnswer(409, 'CERTIFICATE_ALREADY_REVOKED'));
    expect(await rubrica.certificates.revoke({ serialNumber: 'AB12', reason: 'keyCompromise' })).toEqual({
      status: 'REVOKED',
      recovered: true,
    });
  });

  it('is refused where it was not it that stood in the way', async () => {
    const { rubrica } = testClient(service);
    service.script('reset', notAllowed, { body: { ...named, status: 'GENERATED' } });
    await expect(rubrica.linkedPartner.cancel(named)).rejects.toMatchObject({
      code: 'REQUEST_STATE_NOT_ALLOWED',
    });
    service.script(errorAnswer(409, 'CERTIFICATE_ALREADY_REVOKED'));
    await expect(
      rubrica.certificates.revoke({ serialNumber: 'AB12', reason: 'keyCompromise' }),
    ).rejects.toMatchObject({ code: 'CERTIFICATE_ALREADY_REVOKED' });
  });
});

describe('waiting for a status', () => {
  const record = (status: string) => ({ ...named, status });
  const version = (status: string, etag: string, headers: Record<string, string> = {}) => ({
    headers: { etag, ...headers },
    body: record(status),
  });

  it('asks as often as it is told, and only for what is new', async () => {
    const { rubrica, pauses } = testClient(service);
    service.script(
      version('REGISTERED', '"1"', { 'retry-after': '3' }),
      { status: 304, headers: { etag: '"1"', 'retry-after': '4' } },
      version('VALIDATING', '"2"'),
      version('GENERATED', '"3"'),
    );
    const seen: string[] = [];
    const onChange = ({ status }: { status: string }) => void seen.push(status);
    expect(await rubrica.linkedPartner.waitForStatus(named, { onChange })).toEqual(record('GENERATED'));
    expect(seen).toEqual(['REGISTERED', 'VALIDATING', 'GENERATED']);
    expect(pauses).toEqual([3_000, 4_000, 2_000]);
    expect(service.calls.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      '"1"',
      '"1"',
      '"2"',
    ]);
  });

  it('ends where it was told to', async () => {
    const { rubrica } = testClient(service);
    service.script(version('VALIDATING', '"1"'), version('APPROVED', '"2"'));
    expect(await rubrica.regular.waitForStatus(named, { until: ['APPROVED'] })).toEqual(record('APPROVED'));
  });

  it.each(['GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED'])(
    'ends where nothing more can come: %s',
    async (status) => {
      const { rubrica } = testClient(service);
      service.script(version('ERROR', '"1"'), version(status, '"2"'));
      expect(await rubrica.regular.waitForStatus(named, { until: ['APPROVED'] })).toEqual(record(status));
    },
  );

  it('ends at an error, which waits for a correction', async () => {
    const { rubrica } = testClient(service);
    service.script(version('ERROR', '"1"'));
    expect(await rubrica.regular.waitForStatus(named)).toEqual(record('ERROR'));
  });

  it('outlasts a service that is away for longer than a call would wait', async () => {
    const { rubrica } = testClient(service, { maxAttempts: 1 });
    service.script(down, 'reset', version('GENERATED', '"1"'));
    expect(await rubrica.regular.waitForStatus(named)).toEqual(record('GENERATED'));
  });

  it('ends at once where there is no such request', async () => {
    const { rubrica } = testClient(service);
    service.script(errorAnswer(404, 'REQUEST_NOT_FOUND'));
    await expect(rubrica.regular.waitForStatus(named)).rejects.toMatchObject({ code: 'REQUEST_NOT_FOUND' });
  });

  it('ends with its deadline, and says where the request stands', async () => {
    const { rubrica } = testClient(service);
    service.script(version('APPROVED', '"1"', { 'retry-after': '60' }));
    const waiting = rubrica.regular.waitForStatus(named, { deadlineMs: 30_000 });
    await expect(waiting).rejects.toThrow('not there within 30000 ms; the status is APPROVED');
  });
});
