import { apiFlowOperations } from '@rubrica/contracts/rest/api-flow';
import { makeLinkedPartnerRequest, makeSignatureRequest, makeTransactionalRequest } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { queryStack } from './support/ledger.ts';
import { until } from './support/poll.ts';
import { listErrorCodes } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());
const { sandbox, otp } = scene.partners;

const nobody = '2450000605';
const underReview = '2450001504';

function advance(referenceTransaction: string, days: unknown, partner = sandbox) {
  const { token } = partner;
  return scene.call({ path: '/sandbox/advance', token, body: { referenceTransaction, days } });
}

async function post(path: string, body: object, { token } = sandbox) {
  const answer = await scene.call({ path, token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Record<string, string>;
}

const ask = (path: string, query: Record<string, string>, { token } = sandbox) =>
  scene.call({ path, token, query });

/** A claim that waits for its applicant. */
async function waiting() {
  const email = `${crypto.randomUUID()}@example.com`;
  const { callbackUrl } = otp;
  const body = makeLinkedPartnerRequest({ callbackUrl, email, password: undefined });
  await post('/collector/linked-partner/request', body, otp);
  const reference = body.referenceTransaction;
  await otp.reaches(reference, 'APPROVED');
  const link = await until('the claim mail', async () => (await mailsTo(email)).map(linkIn).find(Boolean));
  return { reference, email, link };
}

interface Mail {
  readonly text: string;
  readonly subject: string;
}
async function mailsTo(email: string): Promise<Mail[]> {
  const { mailUrl } = scene.stack.info();
  return (await (await fetch(`${mailUrl}/messages?${new URLSearchParams({ to: email })}`)).json()) as Mail[];
}
const linkIn = ({ text }: Mail) => /https?:\S+\/claim\/[\w-]+/.exec(text)?.[0];

describe('the clock of a request (POST /sandbox/advance)', () => {
  it('moves by days that add up, and says what it is then', async () => {
    const { reference } = await sandbox.accepted({ identificationNumber: nobody });
    await sandbox.reaches(reference, 'ERROR');
    expect(await advance(reference, 20)).toMatchObject({ status: 200, body: { advancedDays: 20 } });
    const { body } = await advance(reference, 29);
    const { now } = body as { now: string };
    expect(body).toEqual({ referenceTransaction: reference, advancedDays: 49, now });
    const aheadMs = Date.parse(`${now}-05:00`) - Date.now();
    expect(Math.round(aheadMs / 86_400_000)).toBe(49);
    expect((await sandbox.view(reference)).status).toBe('ERROR');
    await advance(reference, 1);
    expect((await sandbox.view(reference)).status).toBe('EXPIRED');
  });

  it('is of own requests, of whole days in range, and needs a token that may register', async () => {
    const { reference } = await sandbox.accepted({ identificationNumber: nobody });
    const stranger = await advance(reference, 1, otp);
    expect([stranger.status, listErrorCodes(stranger)]).toEqual([404, ['REQUEST_NOT_FOUND']]);
    for (const days of [0, 4_001, 1.5, '1', undefined])
      expect((await advance(reference, days)).status, String(days)).toBe(400);
    const path = '/sandbox/advance';
    expect((await scene.call({ path, body: { referenceTransaction: reference, days: 1 } })).status).toBe(401);
    const { clientId, clientSecret } = scene.stack.info().partners.sandbox;
    const reader = await scene.call({
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        scope: 'status:read',
      }).toString(),
    });
    const { access_token: token } = reader.body as { access_token: string };
    const refused = await scene.call({
      path: '/sandbox/advance',
      token,
      body: { referenceTransaction: reference, days: 1 },
    });
    expect([refused.status, listErrorCodes(refused)]).toEqual([403, ['FORBIDDEN']]);
    const { paths } = (await scene.call({ path: '/openapi.json' })).body as { paths: object };
    expect(paths).toHaveProperty([path]);
  });

  it('reminds of a claim by the latest reminder alone, ends its window, and takes its data in the end', async () => {
    const { reference, email, link } = await waiting();
    const before = (await mailsTo(email)).length;
    await advance(reference, 49, otp);
    expect((await otp.view(reference)).status).toBe('APPROVED');
    expect((await fetch(link)).status).toBe(200);
    await until('the reminder', async () => ((await mailsTo(email)).length > before ? true : undefined));
    await advance(reference, 1, otp);
    expect((await otp.view(reference)).status).toBe('EXPIRED');
    expect((await mailsTo(email)).length).toBe(before + 1);
    await advance(reference, 4_000, otp);
    const [row] = await queryStack<{ erased: boolean }>(
      scene.stack,
      'select erased_at is not null as erased from intake.request where reference_transaction = $1',
      [reference],
    );
    expect(row).toEqual({ erased: true });
  });

  it('ends by one long step all that would have ended by then', async () => {
    const { reference, email } = await waiting();
    const before = (await mailsTo(email)).length;
    await advance(reference, 4_000, otp);
    expect((await otp.view(reference)).status).toBe('EXPIRED');
    const [row] = await queryStack<{ erased: boolean }>(
      scene.stack,
      'select erased_at is not null as erased from intake.request where reference_transaction = $1',
      [reference],
    );
    expect(row).toEqual({ erased: true });
    expect((await mailsTo(email)).length).toBe(before);
  });

  it('ends a request of the API flow that is not finished within a day', async () => {
    const { path } = apiFlowOperations.requestSignature;
    const terms = await scene.call({
      path: '/gateway/collector/terms-and-conditions/by-type',
      query: { type: 'TRADITIONAL_SIGNATURE' },
    });
    const { id: termsAndConditionsId } = terms.body as { id: string };
    const body = makeSignatureRequest(termsAndConditionsId);
    const { signatureRequestId = '' } = await post(path, body);
    await advance(body.referenceTransaction, 1);
    const { path: statusPath } = apiFlowOperations.signatureRequestStatus;
    expect(await ask(statusPath, { signatureRequestId })).toMatchObject({ body: { status: 'EXPIRED' } });
  });

  it('ends the retrieval of a certificate, and shows the certificate as ended once it is over', async () => {
    const body = makeTransactionalRequest();
    const { referenceTransaction } = body;
    await post('/collector/transactional/request', body);
    const file = () => ask('/middleware/transactional/certificate', { referenceTransaction });
    await until('the certificate', async () => ((await file()).status === 200 ? true : undefined));
    await advance(referenceTransaction, 1);
    const late = await file();
    expect([late.status, listErrorCodes(late)]).toEqual([404, ['CERTIFICATE_NOT_FOUND']]);
    await until('the bundle to be purged', async () => {
      const [row] = await queryStack<{ isPurged: boolean }>(
        scene.stack,
        `select b.purged_at is not null as "isPurged" from generation.bundle b
         join generation.certificate c on c.id = b.certificate_id
         join intake.request r on r.id = c.request_id where r.reference_transaction = $1`,
        [referenceTransaction],
      );
      return row?.isPurged ? true : undefined;
    });
  });

  it('shows a certificate as ended by its own clock, with the dates that were signed', async () => {
    const { reference } = await sandbox.accepted({ period: 'ONE_MONTH' });
    const { notAfter } = await sandbox.reaches(reference, 'GENERATED');
    await advance(reference, 25);
    expect(await sandbox.view(reference)).toMatchObject({ certificateStatus: 'VALID', notAfter });
    await advance(reference, 10);
    expect(await sandbox.view(reference)).toMatchObject({ certificateStatus: 'EXPIRED', notAfter });
    const body = { referenceTransaction: reference, reason: 'superseded' };
    await post('/manager/certificate/revoke', body);
    expect(await sandbox.view(reference)).toMatchObject({ certificateStatus: 'REVOKED' });
  });

  it('purges what was delivered, once its day is over', async () => {
    const { reference } = await sandbox.accepted();
    await sandbox.hears(reference, 'certificate.issued');
    const bodies = () =>
      queryStack<{ isThere: boolean }>(
        scene.stack,
        `select d.body is not null as "isThere" from notifier.delivery d
         join intake.request r on r.id = d.request_id where r.reference_transaction = $1 and d.state = 'DELIVERED'`,
        [reference],
      );
    await until('the delivery', async () => ((await bodies()).length > 0 ? true : undefined));
    expect(await bodies()).toEqual([{ isThere: true }]);
    await advance(reference, 2);
    expect(await until('the purge', async () => ((await bodies())[0]?.isThere ? undefined : 'gone'))).toBe(
      'gone',
    );
  });

  it('leaves alone what is on no clock of days: a review that waits', async () => {
    const { reference } = await sandbox.accepted({ identificationNumber: underReview });
    await until('the review', async () =>
      (await sandbox.view(reference)).validationStatus === 'MANUALLY_VALIDATING' ? true : undefined,
    );
    await advance(reference, 400);
    expect(await sandbox.view(reference)).toMatchObject({ validationStatus: 'MANUALLY_VALIDATING' });
    await sandbox.cancel({ referenceTransaction: reference });
  });
});
