import { randomInt } from 'node:crypto';
import {
  createClaimClient,
  makeJpeg,
  makeRegularRequest,
  makeSimplifiedRequest,
  makeTransactionalRequest,
} from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { until } from './support/poll.ts';
import { listErrorCodes } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());

const fresh = () => `RF-${crypto.randomUUID()}`;
const person = () => ({
  email: `rosa.${crypto.randomUUID().slice(0, 8)}@correo.example`,
  cellphone: `+5939${String(randomInt(1e8)).padStart(8, '0')}`,
});

const post = (path: string, body: object) => scene.call({ path, token: scene.partners.sandbox.token, body });
async function accepted(path: string, body: object) {
  const answer = await post(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Record<string, unknown>;
}
const renew = (referenceTransaction: string, more: object = {}) =>
  accepted('/manager/certificate/renew', { referenceTransaction, newReferenceTransaction: fresh(), ...more });
const advance = (referenceTransaction: string, days: number) =>
  accepted('/sandbox/advance', { referenceTransaction, days });

const statusPaths = {
  FR: '/gateway/request/status',
  FS: '/middleware/simplified/request/status',
  FT: '/middleware/transactional/validation-status',
} as const;
type Shown = keyof typeof statusPaths;
async function view(family: Shown, referenceTransaction: string) {
  const { token } = scene.partners.sandbox;
  const answer = await scene.call({ path: statusPaths[family], token, query: { referenceTransaction } });
  return { etag: answer.headers.get('etag'), record: answer.body as Record<string, string> };
}
const reaches = (family: Shown, reference: string, status: string) =>
  until(`${reference} ${status}`, async () => {
    const { record } = await view(family, reference);
    return record.status === status ? record : undefined;
  });

async function mailedLink(email: string, count = 1): Promise<string> {
  const { mailUrl } = scene.stack.info();
  return until('the claim mail', async () => {
    const response = await fetch(`${mailUrl}/messages?${new URLSearchParams({ to: email })}`);
    const mails = (await response.json()) as { text: string }[];
    const links = mails.flatMap(({ text }) => /https?:\/\/\S+\/claim\/[A-Za-z0-9_-]+/.exec(text)?.[0] ?? []);
    return links.length >= count ? links[0] : undefined;
  });
}

async function claim(link: string, cellphone: string): Promise<void> {
  const client = createClaimClient({ link });
  await client.open();
  await client.sendCode();
  const code = await client.readCode(scene.stack.info().mailUrl, cellphone);
  expect((await client.claim({ code, password: 'Condor de los Andes 7' })).status).toBe(200);
}

it('renews a regular certificate with the former’s attachments and those that are new, by a claim', {
  timeout: 120_000,
}, async () => {
  const { email, cellphone } = person();
  const body = makeRegularRequest({
    callbackUrl: scene.partners.sandbox.callbackUrl,
    emailAddress: email,
    cellphoneNumber: cellphone,
    period: 'ONE_YEAR',
  });
  const reference = body.referenceTransaction;
  await accepted('/collector/request', body);
  await reaches('FR', reference, 'APPROVED');
  await claim(await mailedLink(email), cellphone);
  await reaches('FR', reference, 'GENERATED');
  await advance(reference, 320);

  const other = person();
  const renewed = await renew(reference, {
    identificationSelfie: makeJpeg(2_000).toString('base64'),
    emailAddress: other.email,
    cellphoneNumber: other.cellphone,
    identificationNumber: '0000000000',
    password: 'short',
    evidences: [],
  });
  expect(Object.keys(renewed).sort()).toEqual([
    'createdAt',
    'referenceTransaction',
    'renewalOf',
    'requestId',
  ]);
  const newReference = String(renewed.referenceTransaction);
  await reaches('FR', newReference, 'APPROVED');
  const link = await mailedLink(other.email);

  // The next mail may not go before some seconds have passed.
  const resent = await until('the link to be sent again', async () => {
    const answer = await post('/manager/linked-partner/resend-validation-link', {
      referenceTransaction: newReference,
    });
    return answer.status === 429 ? undefined : answer;
  });
  expect([resent.status, resent.body]).toMatchObject([200, { status: 'APPROVED', resendCount: 1 }]);
  const second = await mailedLink(other.email, 2);
  expect(second).not.toBe(link);
  await claim(second, other.cellphone);
  await reaches('FR', newReference, 'GENERATED');
  expect((await view('FR', reference)).record.renewedBy).toMatchObject({
    referenceTransaction: newReference,
  });
});

it('renews a simplified certificate, whose renewal the linked partner’s address cancels', {
  timeout: 120_000,
}, async () => {
  const { email, cellphone } = person();
  const body = makeSimplifiedRequest({
    emailAddress: email,
    cellphoneNumber: cellphone,
    period: 'ONE_YEAR',
  });
  const reference = body.referenceTransaction;
  await accepted('/collector/simplified/request', body);
  await reaches('FS', reference, 'APPROVED');
  const cancel = (referenceTransaction: string) =>
    post('/manager/linked-partner/cancel-request', { referenceTransaction });
  // Not a renewal: it is of another family.
  expect((await cancel(reference)).status).toBe(404);
  await claim(await mailedLink(email), cellphone);
  await reaches('FS', reference, 'GENERATED');
  await advance(reference, 320);
  const renewed = await renew(reference, { period: 'TWO_YEARS' });
  expect(renewed).toMatchObject({ status: 'REGISTERED', validationStatus: 'PENDING' });
  expect(renewed).toHaveProperty('simplifiedRequestId');
  const newReference = String(renewed.referenceTransaction);
  expect((await reaches('FS', newReference, 'APPROVED')).period).toBe('TWO_YEARS');
  const cancelled = await cancel(newReference);
  expect([cancelled.status, cancelled.body]).toMatchObject([200, { status: 'CANCELLED' }]);
  expect(await renew(reference)).toHaveProperty('simplifiedRequestId');
});

it('renews a transactional certificate of one week, and its ETag changes', async () => {
  const body = makeTransactionalRequest({});
  const reference = body.referenceTransaction;
  await accepted('/collector/transactional/request', body);
  await reaches('FT', reference, 'GENERATED');
  const before = await view('FT', reference);
  const renewed = await renew(reference);
  expect(renewed).toHaveProperty('transactionalRequestId');
  const newReference = String(renewed.referenceTransaction);
  const record = await reaches('FT', newReference, 'GENERATED');
  expect(record).toHaveProperty('renewalOf');
  const after = await view('FT', reference);
  expect(after.record.renewedBy).toMatchObject({ referenceTransaction: newReference });
  expect(after.etag).not.toBe(before.etag);
  // Sixty days before the end of one week lie before its begin, and sixty after it are the end of it.
  await advance(newReference, 7 + 61);
  const late = await post('/manager/certificate/renew', {
    referenceTransaction: newReference,
    newReferenceTransaction: fresh(),
  });
  expect([late.status, listErrorCodes(late)]).toEqual([409, ['RENEWAL_NOT_OPEN']]);
});
