import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll, makeSimplifiedRequest, makeTransactionalRequest } from '@rubrica/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { png } from './support/bodies.ts';
import { p12 } from './support/fake-claims.ts';
import { createFakeRetrieval, passed, transactionalId } from './support/fake-retrieval.ts';
import { partner, statusRecord } from './support/fake-state.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const bundlePassword = 'the secret of the bundle';
const gateway = await disposeAfterAll(testGateway());
const token = await gateway.token();

beforeEach(() => {
  gateway.state.registered.length = 0;
  gateway.state.retrieval.asked.length = 0;
  Object.assign(gateway.state.retrieval, { results: createFakeRetrieval().results });
});

function post(path: string, body: unknown) {
  return call(`${gateway.url}${path}`, { token, body });
}

function get(path: string, query: string, headers = {}) {
  return call(`${gateway.url}${path}?${query}`, { token, headers });
}

function transactional(body: unknown) {
  return post('/collector/transactional/request', body);
}

function simplified(body: unknown) {
  return post('/collector/simplified/request', body);
}

function lastRegistered() {
  const last = gateway.state.registered.at(-1);
  if (last === undefined) throw new Error('nothing was registered');
  return last;
}

function codesOf(answer: Awaited<ReturnType<typeof call>>) {
  return answer.error().errors.map(({ code, field }) => [code, field]);
}

describe('the registration of a family without files', () => {
  test('is answered with what the transactional family says, and no more', async () => {
    const answer = await transactional(makeTransactionalRequest({ referenceTransaction: 'FT-1' }));
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      transactionalRequestId: lastRegistered().input.requestId,
      referenceTransaction: 'FT-1',
      status: 'REGISTERED',
      validationStatus: 'PENDING',
      createdAt: '2026-03-01 12:00:00',
    });
    expect(lastRegistered()).toMatchObject({
      input: { family: 'FT', faults: [], files: [] },
      caller: { kind: 'partner', partnerId: partner.partnerId },
    });
    expect(lastRegistered().input).not.toHaveProperty('sealedPassword');
  });

  test('is answered with what the simplified family says', async () => {
    const sent = makeSimplifiedRequest({ referenceTransaction: 'FS-1' });
    const answer = await simplified({ ...sent, applicantName: 'Nobody', password: 'not taken here' });
    expect(answer.json()).toEqual({
      simplifiedRequestId: lastRegistered().input.requestId,
      referenceTransaction: 'FS-1',
      status: 'REGISTERED',
      validationStatus: 'PENDING',
      createdAt: '2026-03-01 12:00:00',
    });
    const { input } = lastRegistered();
    expect(input).toMatchObject({ family: 'FS', fields: sent });
    expect(input).not.toHaveProperty('sealedPassword');
    expect(input.fields).not.toHaveProperty('applicantName');
  });

  test('leaves out of a linked partner’s body what the transactional family settles itself', async () => {
    const evidenceFile = Buffer.concat([png, Buffer.alloc(400_000)]).toString('base64');
    const answer = await transactional({
      ...makeTransactionalRequest(),
      certificateType: 'SOMETHING_ELSE',
      period: 'FOUR_YEARS',
      evidences: [{ evidenceFile }, { evidenceFile: 7 }],
    });
    expect(answer.status).toBe(200);
    const { fields, evidence, faults } = lastRegistered().input;
    for (const ignored of ['certificateType', 'period', 'evidences'])
      expect(fields).not.toHaveProperty(ignored);
    expect([evidence, faults]).toEqual([undefined, []]);
  });

  test('passes a password on sealed to generation, as it is, and shows it in no log', async () => {
    const password = ' Una clave con blancos y ~ ';
    await transactional(makeTransactionalRequest({ password }));
    const { sealedPassword = '', requestId: owner } = lastRegistered().input;
    const binding = { purpose: 'certificate-password', owner } as const;
    expect(await gateway.keyrings.generation.openText(sealedPassword, binding)).toBe(password);
    expect(gateway.lines.join()).not.toContain(password.trim());
  });

  test('tells all faults of a body at once, under the names of the family', async () => {
    const faulty = { ...makeTransactionalRequest({ password: 'short' }), email: 'x', city: undefined };
    const answer = await transactional(faulty);
    expect(answer.status).toBe(400);
    expect(codesOf(answer).sort()).toEqual([
      ['FIELD_INVALID', 'email'],
      ['FIELD_INVALID', 'password'],
      ['FIELD_REQUIRED', 'city'],
    ]);
    const other = await simplified({ ...makeSimplifiedRequest(), emailAddress: undefined, period: 'A_DAY' });
    expect(codesOf(other).sort()).toEqual([
      ['FIELD_REQUIRED', 'emailAddress'],
      ['INVALID_PERIOD', 'period'],
    ]);
  });

  test('is repeated with the same id when its outcome is not known, and a second repeat of a reference is 409', async () => {
    gateway.state.registerFailures.push(new AppError({ code: 'SERVICE_UNAVAILABLE' }));
    expect((await transactional(makeTransactionalRequest())).status).toBe(200);
    const [first, second] = gateway.state.registered.map(({ input }) => input.requestId);
    expect(second).toBe(first);
    gateway.state.registerFailures.push(new AppError({ code: 'DUPLICATED_REFERENCE_TRANSACTION' }));
    const answer = await simplified(makeSimplifiedRequest());
    expect([answer.status, answer.error().code]).toEqual([409, 'DUPLICATED_REFERENCE_TRANSACTION']);
  });

  test('is a partner’s alone, with the scope to collect', async () => {
    const readOnly = await gateway.token('status:read');
    const body = makeTransactionalRequest();
    const url = `${gateway.url}/collector/transactional/request`;
    expect((await call(url, { token: readOnly, body })).status).toBe(403);
    expect((await call(url, { body })).status).toBe(401);
  });
});

describe('the validation status', () => {
  const ask = (query: string, headers = {}) =>
    get('/middleware/transactional/validation-status', query, headers);

  test('says what became of each check, with version and Retry-After as the status has them', async () => {
    const answer = await ask(`transactionalRequestId=${transactionalId}&referenceTransaction=TX-1`);
    expect(answer.json()).toEqual({
      transactionalRequestId: transactionalId,
      referenceTransaction: 'TX-1',
      status: 'GENERATING',
      validationStatus: 'COMPLETED',
      results: passed,
    });
    expect([answer.headers.get('etag'), answer.headers.get('retry-after')]).toEqual(['"4"', '2']);
    expect(gateway.state.retrieval.asked.at(-1)).toEqual({
      path: 'requests.validationResults',
      input: { family: 'FT', requestId: transactionalId, referenceTransaction: 'TX-1' },
    });
    expect((await ask('referenceTransaction=TX-1', { 'if-none-match': '"4"' })).status).toBe(304);
  });

  test('of a request that has ended names no time to ask again', async () => {
    Object.assign(gateway.state.retrieval.results, { status: 'GENERATED', version: 5 });
    const answer = await ask('referenceTransaction=TX-1', { 'if-none-match': '"4"' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([200, null]);
  });

  test.each([
    ['', 400, 'FIELD_REQUIRED'],
    ['linkedPartnerRequestId=1', 400, 'FIELD_REQUIRED'],
    ['transactionalRequestId=1', 400, 'FIELD_INVALID'],
    ['referenceTransaction=nobody', 404, 'REQUEST_NOT_FOUND'],
  ])('asked "%s" is refused: %i %s', async (query, status, code) => {
    const answer = await ask(query);
    expect([answer.status, answer.error().code]).toEqual([status, code]);
  });
});

describe('the retrieval of a certificate', () => {
  const ask = (query: string) => get('/middleware/transactional/certificate', query);

  test('gives file, password, serial number, validity and results, and no cache may keep them', async () => {
    const answer = await ask('referenceTransaction=TX-1');
    expect(answer.status).toBe(200);
    const local = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    expect(answer.json()).toEqual({
      transactionalRequestId: transactionalId,
      referenceTransaction: 'TX-1',
      file: p12.toString('base64'),
      password: bundlePassword,
      serialNumber: '4A',
      notBefore: local,
      notAfter: local,
      results: passed,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('etag')).toBeNull();
    expect(gateway.state.retrieval.asked).toEqual([
      { path: 'requests.openRetrieval', input: { family: 'FT', referenceTransaction: 'TX-1' } },
    ]);
    const logged = gateway.lines.join();
    expect(logged).not.toContain(bundlePassword);
    expect(logged).not.toContain(p12.toString('base64'));
  });

  test.each([
    ['before it is there', 'REQUEST_STATE_NOT_ALLOWED', 409],
    ['after its retention', 'CERTIFICATE_NOT_FOUND', 404],
  ] as const)('is refused %s, and generation is not asked', async (_when, code, status) => {
    gateway.state.claim.calls.length = 0;
    gateway.state.retrieval.failures.push(new AppError({ code }));
    const answer = await ask('referenceTransaction=TX-1');
    expect([answer.status, answer.error().code]).toEqual([status, code]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(gateway.state.claim.calls).toEqual([]);
  });

  test('of what generation has destroyed is 404, and of a generation that is down 503', async () => {
    const { claim } = gateway.state;
    claim.failures.release = [new AppError({ code: 'PAYLOAD_EXPIRED' })];
    const gone = await ask('referenceTransaction=TX-1');
    expect([gone.status, gone.error().code]).toEqual([404, 'CERTIFICATE_NOT_FOUND']);
    const down = () => new AppError({ code: 'SERVICE_UNAVAILABLE' });
    claim.failures.release = [down(), down()];
    expect((await ask('referenceTransaction=TX-1')).status).toBe(503);
    expect((await ask('referenceTransaction=TX-1')).status).toBe(200);
  });

  test('is a GET alone', async () => {
    const answer = await post('/middleware/transactional/certificate', {});
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, expect.stringContaining('GET')]);
  });
});

describe('a simplified request', () => {
  test('is shown and cancelled under its family’s own identifier', async () => {
    const { requestId } = statusRecord();
    const shown = await get('/middleware/simplified/request/status', `simplifiedRequestId=${requestId}`);
    expect(shown.json()).toMatchObject({ simplifiedRequestId: requestId, referenceTransaction: 'TX-1' });
    const url = `${gateway.url}/manager/simplified/cancel-request`;
    const body = { simplifiedRequestId: requestId };
    const cancelled = await call(url, { method: 'PUT', token, body });
    expect(cancelled.json()).toEqual({
      simplifiedRequestId: requestId,
      referenceTransaction: 'TX-1',
      status: 'CANCELLED',
      validationStatus: 'ERROR',
      updatedDate: '2026-03-01T12:00:00.000',
    });
    expect((await call(url, { method: 'PUT', token, body: {} })).error().code).toBe('FIELD_REQUIRED');
    expect((await call(url, { method: 'POST', token, body })).status).toBe(405);
  });
});
