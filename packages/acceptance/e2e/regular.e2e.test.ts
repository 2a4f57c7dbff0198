import { randomInt } from 'node:crypto';
import { regularResultSchema } from '@rubrica/contracts/rest/regular';
import { regularStatusSchema } from '@rubrica/contracts/shared/status';
import {
  createClaimClient,
  makeJpeg,
  makePdf,
  makePng,
  makeRegularCompany,
  makeRegularRequest,
  type RegularBody,
} from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { openPkcs12 } from './support/pkcs12.ts';
import { until } from './support/poll.ts';
import { parseErrorAnswer } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());

type Fields = { [Name in keyof RegularBody]?: RegularBody[Name] | undefined };
const path = '/collector/request';
const call = (method: 'POST' | 'PATCH', body: object) =>
  scene.call({ method, path, token: scene.partners.sandbox.token, body });

async function register(fields: Fields = {}) {
  const { callbackUrl } = scene.partners.sandbox;
  const answer = await call('POST', makeRegularRequest({ callbackUrl, ...fields }));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { requestId, referenceTransaction: reference } = regularResultSchema.parse(answer.body);
  return { requestId, reference };
}
const view = async (referenceTransaction: string) => {
  const { token } = scene.partners.sandbox;
  const { body } = await scene.call({
    path: '/gateway/request/status',
    token,
    query: { referenceTransaction },
  });
  return regularStatusSchema.parse(body);
};
const reaches = (reference: string, status: string) =>
  until(`${reference} ${status}`, async () => {
    const record = await view(reference);
    return record.status === status ? record : undefined;
  });

async function claim({ email, cellphone }: { email: string; cellphone: string }, password: string) {
  const { mailUrl } = scene.stack.info();
  const link = await until('the claim mail', async () => {
    const response = await fetch(`${mailUrl}/messages?${new URLSearchParams({ to: email })}`);
    const [newest] = (await response.json()) as { text: string }[];
    return /https?:\/\/\S+\/claim\/[A-Za-z0-9_-]+/.exec(newest?.text ?? '')?.[0];
  });
  const client = createClaimClient({ link });
  const page = await client.open();
  await client.sendCode();
  const claimed = await client.claim({ code: await client.readCode(mailUrl, cellphone), password });
  expect(claimed.status).toBe(200);
  return { page, client };
}
const person = () => ({
  email: `rosa.${crypto.randomUUID().slice(0, 8)}@correo.example`,
  cellphone: `+5939${String(randomInt(1e8)).padStart(8, '0')}`,
});

describe('a regular request', () => {
  it('of a legal representative, its files as integers, leads by the claim to a certificate that opens', {
    timeout: 120_000,
  }, async () => {
    const { email, cellphone } = person();
    const company = makeRegularCompany();
    const { reference } = await register({
      ...company,
      emailAddress: email,
      cellphoneNumber: cellphone,
      identificationFront: [...makePng(400_000)],
      identificationBack: [...new Int8Array(makeJpeg(2_000))],
      pdfCompanyRuc: [...makePdf(20_000)],
    });
    expect(await reaches(reference, 'APPROVED')).toMatchObject({
      validationStatus: 'COMPLETED',
      applicationType: 'LEGAL_REPRESENTATIVE',
      certificateType: 'TRADITIONAL_SIGNATURE',
    });
    const password = 'Condor de los Andes 7';
    const { page, client } = await claim({ email, cellphone }, password);
    expect(page.html).toContain('MARÍA JOSÉ ÑÚÑEZ PAZMIÑO');
    expect(page.html).toContain(company.companySocialReason);

    const { body } = await scene.partners.sandbox.hears(reference, 'certificate.issued');
    expect(Object.keys(body).toSorted()).toEqual(['file', 'referenceTransaction', 'serialNumber']);
    const { leaf, chainLength } = await openPkcs12(scene.folder, String(body.file), password);
    expect(chainLength).toBe(3);
    const record = await reaches(reference, 'GENERATED');
    expect(record).toMatchObject({ certificateStatus: 'VALID', serialNumber: leaf.serialNumber });
    for (const part of [
      'GN=MARÍA JOSÉ',
      'SN=ÑÚÑEZ PAZMIÑO',
      `O=${company.companySocialReason}`,
      `title=${company.positionCompany}`,
      `organizationIdentifier=VATEC-${company.companyRuc}`,
    ])
      expect(leaf.subject).toContain(part);
    await client.awaitDownload();
  });

  it('with a wrong fingerprint code is an error, is corrected, and its partner is told by requestId', {
    timeout: 120_000,
  }, async () => {
    const { requestId, reference } = await register({
      identificationNumber: '2450000704',
      fingerCode: 'A1234B5678',
    });
    expect(await reaches(reference, 'ERROR')).toMatchObject({
      requestId,
      observation: { code: 'FINGER_CODE_MISMATCH' },
      correctableFields: ['fingerCode'],
    });
    const { body } = await scene.partners.sandbox.hears(reference, 'request.error');
    expect(Object.keys(body).toSorted()).toEqual(['message', 'referenceTransaction', 'requestId']);
    const wrong = await call('PATCH', { requestId, identificationSelfie: [...makePng(500)] });
    expect(parseErrorAnswer(wrong)).toMatchObject({
      status: 400,
      errors: [{ code: 'FIELD_NOT_CORRECTABLE', field: 'identificationSelfie' }],
    });
    const corrected = await call('PATCH', { referenceTransaction: reference, fingerCode: 'V4333V2222' });
    expect(regularStatusSchema.parse(corrected.body)).toMatchObject({ requestId, status: 'REGISTERED' });
    await reaches(reference, 'APPROVED');
    expect(parseErrorAnswer(await call('PATCH', { requestId }))).toMatchObject({
      status: 409,
      code: 'REQUEST_STATE_NOT_ALLOWED',
    });
  });

  it('of an applicant aged 65 is refused without the video, uses no quota, and is accepted with it', {
    timeout: 120_000,
  }, async () => {
    const body = makeRegularRequest({ identificationNumber: '2450000209' });
    expect(parseErrorAnswer(await call('POST', body))).toMatchObject({
      status: 412,
      errors: [{ code: 'AUTHORIZATION_VIDEO_REQUIRED', field: 'authorizationVideo' }],
    });
    const video = Buffer.concat([
      Buffer.from([0, 0, 0, 24]),
      Buffer.from('ftypisom', 'latin1'),
      Buffer.alloc(2_000),
    ]);
    const answer = await call('POST', { ...body, authorizationVideo: video.toString('base64') });
    expect(answer.status).toBe(200);
    await reaches(body.referenceTransaction, 'APPROVED');
    expect(parseErrorAnswer(await call('POST', body))).toMatchObject({ status: 409 });
  });

  it('whose selfie is of another person is in error, which names the selfie to send anew', async () => {
    const { reference } = await register({ identificationNumber: '2450001702' });
    expect(await reaches(reference, 'ERROR')).toMatchObject({
      observation: { code: 'SELFIE_MISMATCH' },
      correctableFields: ['identificationSelfie'],
    });
  });
});
