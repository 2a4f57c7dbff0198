import {
  identityValidationResultSchema,
  issuanceResultSchema,
  livenessCheckResultSchema,
  livenessRequestResultSchema,
  signatureRequestResultSchema,
} from '@rubrica/contracts/rest/api-flow';
import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import { signatureRequestStatusSchema } from '@rubrica/contracts/shared/status';
import { makeIdentityValidation, makeSignatureRequest } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { openPkcs12 } from './support/pkcs12.ts';
import { until } from './support/poll.ts';
import { parseErrorAnswer } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const callAs = (id: OperationId, what: { query?: Record<string, string>; body?: object }) => {
  const { method, path } = operations[id];
  return scene.call({ method, path, token: scene.partners.sandbox.token, ...what });
};

const scene = await closeAfterAll(joinScene());
const answer = await callAs('activeTerms', { query: { type: 'TRADITIONAL_SIGNATURE' } });
const termsId = (answer.body as { id: string }).id;

const taken = async <S extends z.ZodType>(id: OperationId, body: object, schema: S): Promise<z.output<S>> => {
  const answer = await callAs(id, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return schema.parse(answer.body);
};
const register = (overrides: Parameters<typeof makeSignatureRequest>[1] = {}) =>
  taken('requestSignature', makeSignatureRequest(termsId, overrides), signatureRequestResultSchema);
const identity = (signatureRequestId: string) =>
  taken('validateIdentity', makeIdentityValidation(signatureRequestId), identityValidationResultSchema);
const liveness = (signatureRequestId: string) =>
  taken('requestLiveness', { signatureRequestId }, livenessRequestResultSchema);
const check = (signatureRequestId: string, livenessSessionId: string) =>
  taken('checkLiveness', { signatureRequestId, livenessSessionId }, livenessCheckResultSchema);
/** As a partner does: asks again while others' certificates are made first. */
const issue = (body: { signatureRequestId: string; password?: string }) =>
  until('the certificate', async () => {
    const issued = await taken('issueSignature', body, issuanceResultSchema);
    return issued.status === 'GENERATED' ? issued : undefined;
  });
const status = async (signatureRequestId: string) =>
  signatureRequestStatusSchema.parse(
    (await callAs('signatureRequestStatus', { query: { signatureRequestId } })).body,
  );

it('leads from the terms to a certificate that its password opens, and hands it over again', async () => {
  const { sandbox } = scene.partners;
  const registered = await register({ callbackUrl: sandbox.callbackUrl });
  const { signatureRequestId, referenceTransaction } = registered;
  expect(registered).toMatchObject({ status: 'REGISTERED', nextStep: 'IDENTITY_VALIDATION' });
  expect(await identity(signatureRequestId)).toMatchObject({
    result: 'APPROVED',
    nextStep: 'LIVENESS_REQUEST',
  });
  const session = await liveness(signatureRequestId);
  expect(session).toMatchObject({ attemptNumber: 1, maxAttempts: 3 });
  const page = await fetch(session.livenessUrl);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await check(signatureRequestId, session.livenessSessionId)).toMatchObject({
    status: 'SUCCEEDED',
    nextStep: 'ISSUANCE',
  });
  const answer = await callAs('issueSignature', { body: { signatureRequestId } });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const issued = await issue({ signatureRequestId });
  expect(issued).toMatchObject({ status: 'GENERATED', nextStep: 'NONE', referenceTransaction });
  const { file = '', password = '' } = issued;
  expect(password).toHaveLength(20);
  const { leaf, privateKey } = await openPkcs12(scene.folder, file, password);
  expect(leaf.serialNumber).toBe(issued.serialNumber);
  expect(privateKey).toContain('PRIVATE KEY');
  expect(await taken('issueSignature', { signatureRequestId }, issuanceResultSchema)).toEqual(issued);
  expect(await status(signatureRequestId)).toMatchObject({
    status: 'GENERATED',
    serialNumber: issued.serialNumber,
  });
  const event = await sandbox.hears(referenceTransaction, 'certificate.issued');
  expect(event.body).toMatchObject({ referenceTransaction, file, password });
});

it("takes the partner's password at the issuance, and does not hand that back", async () => {
  const { signatureRequestId } = await register();
  await identity(signatureRequestId);
  await check(signatureRequestId, (await liveness(signatureRequestId)).livenessSessionId);
  const password = 'Una clave de pampa';
  const issued = await issue({ signatureRequestId, password });
  expect(issued).not.toHaveProperty('password');
  await openPkcs12(scene.folder, issued.file ?? '', password);
});

it('refuses steps in another order with the one that is due', async () => {
  const { signatureRequestId } = await register();
  const tried = async (id: OperationId, body: object = { signatureRequestId }) =>
    parseErrorAnswer(await callAs(id, { body }));
  for (const id of ['requestLiveness', 'issueSignature'] as const)
    expect(await tried(id)).toMatchObject({
      status: 409,
      code: 'REQUEST_STATE_NOT_ALLOWED',
      message: expect.stringContaining('IDENTITY_VALIDATION'),
    });
  await identity(signatureRequestId);
  expect(await tried('issueSignature')).toMatchObject({
    status: 409,
    message: expect.stringContaining('LIVENESS_REQUEST'),
  });
  expect(await tried('validateIdentity', makeIdentityValidation(signatureRequestId))).toMatchObject({
    status: 409,
  });
});

it('refuses terms that are not those in force', async () => {
  const body = makeSignatureRequest('0197a000-0000-7000-8000-0000000000ff');
  expect(parseErrorAnswer(await callAs('requestSignature', { body }))).toMatchObject({
    status: 412,
    code: 'TERMS_OUTDATED',
  });
});

it('refuses the request after three selfies that show another face, and tells the partner', async () => {
  const { sandbox } = scene.partners;
  const { signatureRequestId, referenceTransaction } = await register({
    identificationNumber: '2450001702',
    callbackUrl: sandbox.callbackUrl,
  });
  await identity(signatureRequestId);
  for (const nextStep of ['LIVENESS_REQUEST', 'LIVENESS_REQUEST', 'NONE']) {
    const { livenessSessionId } = await liveness(signatureRequestId);
    expect(await check(signatureRequestId, livenessSessionId)).toMatchObject({
      status: 'FAILED',
      failureReasons: ['SELFIE_MISMATCH'],
      nextStep,
    });
  }
  expect(await status(signatureRequestId)).toMatchObject({ status: 'REFUSED', validationStatus: 'REFUSED' });
  await sandbox.hears(referenceTransaction, 'request.refused');
  expect(parseErrorAnswer(await callAs('requestLiveness', { body: { signatureRequestId } }))).toMatchObject({
    status: 409,
    code: 'LIVENESS_ATTEMPTS_EXCEEDED',
  });
});
