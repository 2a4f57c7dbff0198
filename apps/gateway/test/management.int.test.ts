import { disposeAfterAll } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { png } from './support/bodies.ts';
import { certificateBytes } from './support/fake-services.ts';
import { identifiedId, statusRecord } from './support/fake-state.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const id = statusRecord().requestId;

const gateway = await disposeAfterAll(testGateway());
const token = await gateway.token();

function manage(operation: string, body: unknown) {
  return call(`${gateway.url}/manager/linked-partner/${operation}`, { token, body });
}

function status(query: string, headers = {}) {
  return call(`${gateway.url}/middleware/signature-request/status?${query}`, { token, headers });
}

test('the status record has local dates, an ETag and Retry-After while it is not terminal', async () => {
  gateway.state.status = statusRecord();
  const answer = await status('referenceTransaction=TX-1');
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({
    linkedPartnerRequestId: id,
    createdDate: '2026-03-01T12:00:00.000',
    updatedDate: '2026-03-01T12:00:01.250',
    observation: null,
    observations: [{ code: 'RUC_CHECK_DIGIT', createdDate: '2026-03-01T12:00:00.000' }],
    serialNumber: null,
  });
  expect(answer.json()).not.toHaveProperty('version');
  expect(answer.headers.get('etag')).toBe('"3"');
  expect(answer.headers.get('retry-after')).toBe('2');
});

test('an unchanged record is 304 without a body; a new version is sent', async () => {
  gateway.state.status = statusRecord({ version: 4 });
  const same = await status(`linkedPartnerRequestId=${id}`, { 'if-none-match': 'W/"4", "9"' });
  expect([same.status, same.text]).toEqual([304, '']);
  expect((await status(`linkedPartnerRequestId=${id}`, { 'if-none-match': '"3"' })).status).toBe(200);
});

test('a terminal record has no Retry-After, and a certificate that expired is a new version', async () => {
  gateway.state.status = statusRecord({ status: 'GENERATED', certificateStatus: 'VALID' });
  const valid = await status('referenceTransaction=TX-1');
  expect(valid.headers.get('retry-after')).toBeNull();
  gateway.state.status = statusRecord({ status: 'GENERATED', certificateStatus: 'EXPIRED' });
  const expired = await status('referenceTransaction=TX-1', {
    'if-none-match': valid.headers.get('etag') ?? '',
  });
  expect(expired.status).toBe(200);
});

test.each([
  ['', 'FIELD_REQUIRED'],
  ['referenceTransaction=', 'FIELD_REQUIRED'],
  ['linkedPartnerRequestId=17', 'FIELD_INVALID'],
  ['referenceTransaction=a&referenceTransaction=b', 'FIELD_INVALID'],
])('a status query "%s" is refused with %s', async (query, code) => {
  const answer = await status(query);
  expect(answer.status).toBe(400);
  expect(answer.error().code).toBe(code);
});

test("what intake says of a request that is not this partner's is passed on", async () => {
  const answer = await status('referenceTransaction=nobody');
  expect(answer.status).toBe(404);
  expect(answer.error().code).toBe('REQUEST_NOT_FOUND');
});

test('a retry passes corrections, password and evidence on and is answered in the words of the interface', async () => {
  const answer = await manage('retry-process-signature', {
    referenceTransaction: 'TX-1',
    fingerCode: 'V4333V2222',
    city: 'ignored',
    password: 'a new password',
    evidences: [{ evidenceFile: png.toString('base64') }],
  });
  expect(answer.status).toBe(200);
  expect(answer.json()).toEqual({
    linkedPartnerRequestId: id,
    referenceTransaction: 'TX-1',
    status: 'REGISTERED',
    retryCount: 1,
    retriesRemaining: 1,
    updatedDate: '2026-03-01T12:00:00.000',
  });
  const [retried] = gateway.state.retried.slice(-1);
  expect(retried).toMatchObject({
    family: 'TV',
    referenceTransaction: 'TX-1',
    corrections: { fingerCode: 'V4333V2222' },
  });
  expect(retried?.corrections).not.toHaveProperty('city');
  // It was named by reference alone, and what is sealed is bound to its id.
  expect(gateway.state.identified.slice(-1)).toEqual([{ family: 'TV', referenceTransaction: 'TX-1' }]);
  const binding = { purpose: 'certificate-password', owner: identifiedId } as const;
  expect(await gateway.keyrings.generation.openText(retried?.sealedPassword ?? '', binding)).toBe(
    'a new password',
  );
  expect(retried?.evidence?.items).toHaveLength(1);
});

test('faults of a retry are reported together with that of a missing identifier', async () => {
  const answer = await manage('retry-process-signature', { email: 'x', evidences: [] });
  expect(answer.status).toBe(400);
  expect(answer.error().errors.map(({ field }) => field)).toEqual([
    'linkedPartnerRequestId',
    'email',
    'evidences',
  ]);
});

test('a cancel is answered with state and local date', async () => {
  const answer = await manage('cancel-request', { linkedPartnerRequestId: id, reason: 'withdrawn' });
  expect(answer.status).toBe(200);
  expect(answer.json()).toEqual({
    linkedPartnerRequestId: id,
    referenceTransaction: 'TX-1',
    status: 'CANCELLED',
    validationStatus: 'ERROR',
    updatedDate: '2026-03-01T12:00:00.000',
  });
});

test("intake's Retry-After reaches the partner", async () => {
  const answer = await manage('resend-validation-link', { linkedPartnerRequestId: id });
  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after')).toBe('42');
  expect(answer.error().code).toBe('RATE_LIMITED');
});

test('the active terms need no token', async () => {
  const answer = await call(
    `${gateway.url}/gateway/collector/terms-and-conditions/by-type?type=TRADITIONAL_SIGNATURE`,
  );
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({ version: '1', active: true, createdDate: '2026-03-01T12:00:00.000' });
});

test.each([
  ['type=traditional_signature', 400, 'INVALID_TERMS_TYPE'],
  ['', 400, 'INVALID_TERMS_TYPE'],
  ['type=TRADITIONAL_SIGNATURE&type=TRADITIONAL_SIGNATURE', 400, 'INVALID_TERMS_TYPE'],
  ['type=TRANSACTIONAL_SIGNATURE', 412, 'NO_ACTIVE_TERMS'],
])('a terms query "%s" is %d', async (query, expected, code) => {
  const answer = await call(`${gateway.url}/gateway/collector/terms-and-conditions/by-type?${query}`);
  expect(answer.status).toBe(expected);
  expect(answer.error().code).toBe(code);
});

test('a published file is served from memory after the first time, with its caching headers', async () => {
  const asked = () => gateway.state.asked.filter(({ path }) => path === 'pki.file').length;
  const before = asked();
  const first = await fetch(`${gateway.url}/pki/root.cer`);
  expect(Buffer.from(await first.arrayBuffer())).toEqual(certificateBytes);
  expect(first.headers.get('content-type')).toBe('application/pkix-cert');
  expect(first.headers.get('cache-control')).toMatch(/^public, max-age=3\d\d\d$/);
  const again = await call(`${gateway.url}/pki/root.cer`, { headers: { 'if-none-match': '"abc"' } });
  expect(again.status).toBe(304);
  expect(asked()).toBe(before + 1);
});

test.each(['nothing.cer', 'root.pem', '..%2froot.cer', `${'a'.repeat(200)}.cer`])(
  'there is no file %s',
  async (file) => {
    const answer = await call(`${gateway.url}/pki/${file}`);
    expect(answer.status).toBe(404);
    expect(answer.error().code).toBe('ROUTE_NOT_FOUND');
  },
);
