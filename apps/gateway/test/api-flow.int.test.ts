import {
  identityValidationResultSchema,
  issuanceResultSchema,
  livenessCheckResultSchema,
  livenessRequestResultSchema,
} from '@rubrica/contracts/rest/api-flow';
import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { linkedPartnerBody, pdf, png } from './support/bodies.ts';
import { p12 } from './support/fake-claims.ts';
import { createFakeSignature, sessionId, signatureId } from './support/fake-signature.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());
const token = await gateway.token();

beforeEach(() => {
  const { calls, ...fresh } = createFakeSignature();
  Object.assign(gateway.state.signature, fresh);
  gateway.state.signature.calls.length = calls.length;
});

function post(step: string, body: unknown) {
  return call(`${gateway.url}/signature/api/${step}`, {
    token,
    body,
    headers: { 'user-agent': 'A partner' },
  });
}

function asked() {
  return gateway.state.signature.calls.map(({ input }) => input as Record<string, unknown>);
}

const images = {
  identificationFront: png.toString('base64'),
  identificationBack: [...png],
  identificationSelfie: png.toString('base64url'),
};
const named = { signatureRequestId: signatureId };

test('the answer names the next step and the end, and the caller is kept with the acceptance', async () => {
  const termsAndConditionsId = '0197a000-0000-7000-8000-0000000000cc';
  const body = { ...linkedPartnerBody({ evidences: [{ evidenceFile: 'AAAA' }] }), termsAndConditionsId };
  const answer = await post('request', body);
  const { input } = gateway.state.registered.at(-1) ?? {};
  expect(answer.json()).toEqual({
    signatureRequestId: input?.requestId,
    referenceTransaction: 'TX-1',
    status: 'REGISTERED',
    nextStep: 'IDENTITY_VALIDATION',
    createdAt: '2026-03-01 12:00:00',
  });
  expect(input).toMatchObject({
    family: 'API',
    fields: { termsAndConditionsId },
    acceptance: { language: 'en', remoteAddress: '127.0.0.1', userAgent: 'A partner' },
  });
  expect(input?.fields).not.toHaveProperty('password');
  const binding = { purpose: 'certificate-password', owner: input?.requestId ?? '' } as const;
  expect(await gateway.keyrings.generation.openText(input?.sealedPassword ?? '', binding)).toBe(
    'Una clave con ~ ',
  );
});

test('an identity goes on with its files under their fields, encrypted, and a number of its own', async () => {
  const answer = await post('identity-validation', { ...named, ...images });
  expect(identityValidationResultSchema.parse(answer.json())).toEqual({
    ...named,
    result: 'APPROVED',
    nextStep: 'LIVENESS_REQUEST',
    attemptsRemaining: 3,
    failureReasons: [],
  });
  const [input] = asked();
  expect(input).toMatchObject({ requestId: signatureId, callId: expect.any(String), faults: [] });
  const { items } = (input?.evidence ?? { items: [] }) as { items: { field: string }[] };
  expect(items.map(({ field }) => field)).toEqual(Object.keys(images));
  expect(JSON.stringify(input)).not.toContain(images.identificationFront);
});

test('an identity whose answer got lost is asked for again as the same call', async () => {
  gateway.state.signature.failures.validateIdentity = [new AppError({ code: 'SERVICE_UNAVAILABLE' })];
  expect((await post('identity-validation', { ...named, ...images })).status).toBe(200);
  const [first, second] = asked();
  expect(second).toEqual(first);
});

test('faults of an identity are answered together; a file of another kind is one of them', async () => {
  const answer = await post('identity-validation', {
    ...named,
    ...images,
    identificationSelfie: pdf.toString('base64'),
    isIdentityCertificate: 'yes',
  });
  expect(answer.error().errors?.map(({ field, code }) => `${field} ${code}`)).toEqual([
    'isIdentityCertificate FIELD_INVALID',
    'identificationSelfie FILE_TYPE_NOT_ALLOWED',
  ]);
});

test.each(['identity-validation', 'liveness/request', 'liveness/check', 'issuance'])(
  '%s without the request that it is about is 400 and calls no service',
  async (step) => {
    const answer = await post(step, images);
    expect(answer.error()).toMatchObject({ status: 400, code: 'FIELD_REQUIRED' });
    expect(asked()).toEqual([]);
  },
);

test('a proof of life is handed on with its address opened', async () => {
  const answer = await post('liveness/request', named);
  expect(livenessRequestResultSchema.parse(answer.json())).toEqual({
    livenessSessionId: sessionId,
    livenessUrl: `https://liveness.example/${sessionId}`,
    expiresAt: '2026-03-01T12:15:00.000',
    attemptNumber: 2,
    maxAttempts: 3,
  });
  const checked = await post('liveness/check', { ...named, livenessSessionId: sessionId });
  expect(livenessCheckResultSchema.parse(checked.json())).toMatchObject({
    status: 'FAILED',
    failureReasons: ['SELFIE_MISMATCH'],
  });
});

test('a registry that does not answer is 503 with the time to wait', async () => {
  const failure = new AppError({ code: 'EXTERNAL_SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
  gateway.state.signature.failures.validateIdentity = [failure];
  const answer = await post('identity-validation', { ...named, ...images });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(asked()).toHaveLength(1);
});

test('an issuance waits until the certificate is there, as the signal says, and hands it over', async () => {
  const { signature } = gateway.state;
  signature.statuses = ['GENERATING', 'GENERATED'];
  const answering = post('issuance', named);
  await expect.poll(() => asked().length).toBe(1);
  gateway.bus.nc.publish('live.events.certificate.issued', JSON.stringify({ requestId: signatureId }));
  const answer = await answering;
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const issued = issuanceResultSchema.parse(answer.json());
  expect(issued).toMatchObject({ ...named, status: 'GENERATED', nextStep: 'NONE' });
  expect(issued.file).toBe(p12.toString('base64'));
  expect(issued.password).toEqual(expect.any(String));
});

test("an issuance with the partner's password seals it, and does not give it back", async () => {
  gateway.state.signature.isPasswordOurs = false;
  const answer = await post('issuance', { ...named, password: 'avestruz con sombrero' });
  expect(answer.json()).not.toHaveProperty('password');
  const [input] = asked();
  const binding = { purpose: 'certificate-password', owner: signatureId } as const;
  expect(await gateway.keyrings.generation.openText(String(input?.sealedPassword), binding)).toBe(
    'avestruz con sombrero',
  );
});

test('a request may be named in capitals: what is sealed is bound to its id as it is kept', async () => {
  gateway.state.signature.isPasswordOurs = false;
  const body = { signatureRequestId: signatureId.toUpperCase(), password: 'avestruz con sombrero' };
  const answer = await post('issuance', body);
  expect(answer.json()).toMatchObject({ status: 'GENERATED', file: p12.toString('base64') });
  const [input] = asked();
  const binding = { purpose: 'certificate-password', owner: signatureId } as const;
  expect(await gateway.keyrings.generation.openText(String(input?.sealedPassword), binding)).toBe(
    'avestruz con sombrero',
  );
  const session = await post('liveness/request', { signatureRequestId: signatureId.toUpperCase() });
  expect(session.json()).toMatchObject({ livenessUrl: expect.stringContaining('https://liveness.example/') });
});

test('a certificate that is not there after 10 s is answered as on its way', async () => {
  gateway.state.signature.statuses = ['GENERATING'];
  const answer = await post('issuance', named);
  expect(answer.json()).toMatchObject({ status: 'GENERATING', nextStep: 'ISSUANCE' });
  expect(answer.json()).not.toHaveProperty('file');
});

test('a file that is kept no longer is 404, and a step that is not due 409', async () => {
  gateway.state.claim.failures.release = [new AppError({ code: 'PAYLOAD_EXPIRED' })];
  expect((await post('issuance', named)).error()).toMatchObject({
    status: 404,
    code: 'CERTIFICATE_NOT_FOUND',
  });
  gateway.state.signature.failures.issue = [
    new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', publicMessage: 'the next step is LIVENESS_CHECK' }),
  ];
  expect((await post('issuance', named)).error()).toMatchObject({
    status: 409,
    message: 'the next step is LIVENESS_CHECK',
  });
});
