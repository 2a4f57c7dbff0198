import { randomInt } from 'node:crypto';
import { simplifiedResultSchema } from '@rubrica/contracts/rest/simplified';
import {
  transactionalCertificateSchema,
  transactionalResultSchema,
  validationStatusAnswerSchema,
} from '@rubrica/contracts/rest/transactional';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { simplifiedStatusSchema } from '@rubrica/contracts/shared/status';
import { createClaimClient, makeSimplifiedRequest, makeTransactionalRequest } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import type { PartnerActor } from './support/partner-actor.ts';
import { openPkcs12 } from './support/pkcs12.ts';
import { until } from './support/poll.ts';
import { parseErrorAnswer } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());
const sandbox = scene.partners.sandbox;

const addresses = {
  registerTransactional: ['POST', '/collector/transactional/request'],
  transactionalValidationStatus: ['GET', '/middleware/transactional/validation-status'],
  transactionalCertificate: ['GET', '/middleware/transactional/certificate'],
  registerSimplified: ['POST', '/collector/simplified/request'],
  simplifiedStatus: ['GET', '/middleware/simplified/request/status'],
  cancelSimplified: ['PUT', '/manager/simplified/cancel-request'],
} as const;
const callAs = (
  { token }: PartnerActor,
  name: keyof typeof addresses,
  what: { query?: Record<string, string>; body?: object },
) => {
  const [method, path] = addresses[name];
  return scene.call({ method, path, token, ...what });
};

async function rerun(requestId: string): Promise<void> {
  const { operators } = scene.stack.info();
  const signedIn = await scene.call({ path: '/trpc/auth.signIn', body: operators.admin });
  const { result } = signedIn.body as { result: { data: { accessToken: string } } };
  const body = { requestId, reason: 'The cause was mended' };
  const answer = await scene.call({ path: '/trpc/requests.rerun', body, token: result.data.accessToken });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

describe('the transactional family', () => {
  const register = async (partner: PartnerActor, overrides: Record<string, string> = {}) => {
    const sent = makeTransactionalRequest(overrides);
    const answer = await callAs(partner, 'registerTransactional', { body: sent });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { transactionalRequestId } = transactionalResultSchema.parse(answer.body);
    return { requestId: transactionalRequestId, referenceTransaction: sent.referenceTransaction };
  };
  const statusOf = async (partner: PartnerActor, referenceTransaction: string) => {
    const answer = await callAs(partner, 'transactionalValidationStatus', {
      query: { referenceTransaction },
    });
    return validationStatusAnswerSchema.parse(answer.body);
  };
  const reaches = (partner: PartnerActor, reference: string, status: string) =>
    until(`${reference} ${status}`, async () => {
      const found = await statusOf(partner, reference);
      return found.status === status ? found : undefined;
    });
  const retrieve = (partner: PartnerActor, referenceTransaction: string) =>
    callAs(partner, 'transactionalCertificate', { query: { referenceTransaction } });

  it.each(['sandbox', 'otp'] as const)(
    'leads the partner %s from registration to a certificate that its password opens',
    async (key) => {
      const partner = scene.partners[key];
      const { referenceTransaction, requestId } = await register(partner);
      const { results } = await reaches(partner, referenceTransaction, 'GENERATED');
      expect(results.map(({ check, result }) => `${check} ${result}`)).toEqual([
        'IDENTITY PASSED',
        'VITAL_STATUS PASSED',
        'AGE PASSED',
        'FINGER_CODE PASSED',
        'NAMES PASSED',
      ]);
      const answer = await retrieve(partner, referenceTransaction);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const certificate = transactionalCertificateSchema.parse(answer.body);
      expect(certificate).toMatchObject({ transactionalRequestId: requestId, referenceTransaction, results });
      expect(certificate.password).toHaveLength(20);
      const { leaf, chainLength } = await openPkcs12(scene.folder, certificate.file, certificate.password);
      expect([leaf.serialNumber, chainLength]).toEqual([certificate.serialNumber, 3]);
      expect(leaf.subject).toContain('L=Quito');
      const days = (Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)) / DAY_MS;
      expect(Math.round(days)).toBe(7);
      expect((await retrieve(partner, referenceTransaction)).body).toEqual(answer.body);
      expect(partner.eventsOf(referenceTransaction)).toEqual([]);
    },
  );

  it('has nothing to retrieve before that, and says where it stands', async () => {
    const { referenceTransaction } = await register(sandbox, { identificationNumber: '2450000803' });
    expect(parseErrorAnswer(await retrieve(sandbox, referenceTransaction))).toMatchObject({
      status: 409,
      code: 'REQUEST_STATE_NOT_ALLOWED',
    });
    const { results } = await reaches(sandbox, referenceTransaction, 'ERROR');
    expect(results.at(-1)).toEqual({ check: 'NAMES', result: 'FAILED', code: 'NAME_MISMATCH' });
  });

  it('hands the password that the service made to the webhook too, the same as to the retrieval', async () => {
    const { callbackUrl } = sandbox;
    const { referenceTransaction } = await register(sandbox, { callbackUrl });
    const { body } = await sandbox.hears(referenceTransaction, 'certificate.issued');
    const answer = await retrieve(sandbox, referenceTransaction);
    const { file, password, serialNumber } = transactionalCertificateSchema.parse(answer.body);
    expect(body).toEqual({ referenceTransaction, file, password, serialNumber });
  });

  it.each([
    ['2450001207', 1],
    ['2450001306', 2],
    ['2450001405', 3],
  ])(
    '%s is in ERROR until an operator has had it generated again %i times, and each time its event names it',
    async (identificationNumber, failures) => {
      const { callbackUrl } = sandbox;
      const { referenceTransaction, requestId } = await register(sandbox, {
        callbackUrl,
        identificationNumber,
      });
      for (let count = 1; count <= failures; count += 1) {
        const { body } = await sandbox.hears(referenceTransaction, 'request.error', { count });
        expect(body).toEqual({
          transactionalRequestId: requestId,
          referenceTransaction,
          message: expect.stringMatching(/./),
        });
        const failed = await statusOf(sandbox, referenceTransaction);
        expect(failed).toMatchObject({ status: 'ERROR', validationStatus: 'COMPLETED' });
        expect(new Set(failed.results.map(({ result }) => result))).toEqual(new Set(['PASSED']));
        await rerun(requestId);
      }
      await reaches(sandbox, referenceTransaction, 'GENERATED');
      expect((await retrieve(sandbox, referenceTransaction)).status).toBe(200);
    },
  );

  it('takes no legal representative', async () => {
    const body = makeTransactionalRequest({ applicationType: 'LEGAL_REPRESENTATIVE' });
    const answer = parseErrorAnswer(await callAs(sandbox, 'registerTransactional', { body }));
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_APPLICATION_TYPE' });
  });
});

describe('the simplified family', () => {
  const register = async (overrides: Record<string, string> = {}) => {
    const cellphoneNumber = `+5939${String(randomInt(1e8)).padStart(8, '0')}`;
    const emailAddress = `rosa.${crypto.randomUUID().slice(0, 8)}@correo.example`;
    const sent = makeSimplifiedRequest({ cellphoneNumber, emailAddress, ...overrides });
    const answer = await callAs(sandbox, 'registerSimplified', { body: sent });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { simplifiedRequestId } = simplifiedResultSchema.parse(answer.body);
    return { ...sent, requestId: simplifiedRequestId };
  };
  const reaches = (simplifiedRequestId: string, status: string) =>
    until(`${simplifiedRequestId} ${status}`, async () => {
      const answer = await callAs(sandbox, 'simplifiedStatus', { query: { simplifiedRequestId } });
      const found = simplifiedStatusSchema.parse(answer.body);
      return found.status === status ? found : undefined;
    });
  const messagesTo = async (to: string) => {
    const response = await fetch(`${scene.stack.info().mailUrl}/messages?${new URLSearchParams({ to })}`);
    return (await response.json()) as { text: string }[];
  };
  const clientOf = async ({ emailAddress }: { emailAddress: string }) => {
    const link = await until('the claim mail', async () => {
      const [mail] = await messagesTo(emailAddress);
      return /https?:\/\/\S+\/claim\/[A-Za-z0-9_-]+/.exec(mail?.text ?? '')?.[0];
    });
    return createClaimClient({ link });
  };
  const password = 'Condor de los Andes 7';
  const claim = async (request: { emailAddress: string; cellphoneNumber: string }) => {
    const client = await clientOf(request);
    const { mailUrl } = scene.stack.info();
    await client.sendCode();
    const code = await client.readCode(mailUrl, request.cellphoneNumber);
    expect((await client.claim({ code, password })).status).toBe(200);
    return client;
  };

  it('leads from six fields over the claim to a certificate in the registry’s names, without a locality', async () => {
    const request = await register({ callbackUrl: sandbox.callbackUrl });
    await reaches(request.requestId, 'APPROVED');
    const client = await clientOf(request);
    expect((await client.open()).html).toContain('MARÍA JOSÉ ÑÚÑEZ PAZMIÑO');
    await claim(request);
    await reaches(request.requestId, 'GENERATED');
    const { body } = await sandbox.hears(request.referenceTransaction, 'certificate.issued');
    expect(Object.keys(body).toSorted()).toEqual(['file', 'referenceTransaction', 'serialNumber']);
    const { leaf } = await openPkcs12(scene.folder, String(body.file), password);
    expect(leaf.subject).toContain('CN=MARÍA JOSÉ ÑÚÑEZ PAZMIÑO');
    expect(leaf.subject).not.toMatch(/^L=/m);
  });

  it('is cancelled by its partner before the claim, and its link opens nothing then', async () => {
    const request = await register();
    await reaches(request.requestId, 'APPROVED');
    const client = await clientOf(request);
    const body = { simplifiedRequestId: request.requestId, reason: 'The applicant withdrew' };
    const cancelled = await callAs(sandbox, 'cancelSimplified', { body });
    expect([cancelled.status, cancelled.body]).toMatchObject([200, { status: 'CANCELLED' }]);
    expect((await client.open()).forms).toEqual([]);
    expect(parseErrorAnswer(await callAs(sandbox, 'cancelSimplified', { body })).status).toBe(409);
  });

  it('whose generation always fails is in ERROR after each of an operator’s reruns', async () => {
    const request = await register({ identificationNumber: '2450001108', callbackUrl: sandbox.callbackUrl });
    await claim(request);
    await reaches(request.requestId, 'ERROR');
    await sandbox.hears(request.referenceTransaction, 'request.error');
    await rerun(request.requestId);
    const { body } = await sandbox.hears(request.referenceTransaction, 'request.error', { count: 2 });
    expect(body).toMatchObject({ simplifiedRequestId: request.requestId });
    expect(await reaches(request.requestId, 'ERROR')).toMatchObject({ validationStatus: 'COMPLETED' });
  });
});
