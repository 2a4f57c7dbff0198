import { createHash } from 'node:crypto';
import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll, makeRegularRequest } from '@rubrica/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { pdf, png } from './support/bodies.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());
const token = await gateway.token();

beforeEach(() => {
  gateway.state.registered.length = 0;
  gateway.state.corrected.length = 0;
});

type Fields = Readonly<Record<string, unknown>>;
const video = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypisom', 'latin1'),
  Buffer.alloc(12),
]);
function base64(file: Buffer) {
  return file.toString('base64');
}

function send(method: 'POST' | 'PATCH', body: unknown) {
  return call(`${gateway.url}/collector/request`, { token, method, body });
}

function register(fields: Fields = {}) {
  return send('POST', { ...makeRegularRequest(), ...fields });
}

const requestId = '0197a000-0000-7000-8000-000000000111';
function correct(fields: Fields = {}) {
  return send('PATCH', { requestId, ...fields });
}

function registered() {
  const last = gateway.state.registered.at(-1);
  if (!last) throw new Error('nothing was registered');
  return last.input;
}

function corrected() {
  const last = gateway.state.corrected.at(-1);
  if (!last) throw new Error('nothing was corrected');
  return last;
}

describe('a regular registration', () => {
  test('is answered with exactly three fields', async () => {
    const answer = await register({ referenceTransaction: 'FR-1' });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      requestId: registered().requestId,
      referenceTransaction: 'FR-1',
      createdAt: '2026-03-01 12:00:00',
    });
  });

  test('hands on its fields, and its files each by its field; what is unknown stays behind', async () => {
    await register({
      applicantName: 'ANA',
      pdfAppointmentAcceptance: base64(pdf),
      password: 'not of this family',
      pdfCompanyRuc: base64(pdf),
      identificationBack: '',
      isIdentityCertificate: true,
    });
    const { family, faults, fields, files, evidence, sealedPassword } = registered();
    expect([family, faults, sealedPassword]).toEqual(['FR', [], undefined]);
    expect(fields).toMatchObject({ isIdentityCertificate: true, province: 'Pichincha' });
    for (const name of ['applicantName', 'pdfAppointmentAcceptance', 'password', 'pdfCompanyRuc'])
      expect(fields).not.toHaveProperty(name);
    const expected = [
      ['identificationFront', 'image/png'],
      ['identificationSelfie', 'image/jpeg'],
      ['pdfCompanyRuc', 'application/pdf'],
    ];
    expect(files.map(({ field, mediaType }) => [field, mediaType])).toEqual(expected);
    expect(evidence?.items.map(({ field, file }) => [field, file?.mediaType])).toEqual(expected);
  });

  test.each([
    ['pdfCompanyRuc', 'application/pdf', Buffer.concat([Buffer.from('\ufeff\r\n'), pdf])],
    ['pdfCompanyRuc', 'application/pdf', Buffer.concat([Buffer.alloc(1_019, 0x20), pdf])],
    ['pdfCompanyRuc', 'application/pdf', Buffer.from(`Content-Type: application/pdf\r\n\r\n${pdf}`)],
    ['authorizationVideo', 'video/quicktime', Buffer.from('\0\0\0\x08wide\0\0\x10\0mdat')],
    ['authorizationVideo', 'video/quicktime', Buffer.from('\0\0\0\x10moov\0\0\0\x08trak')],
  ])('takes %s as %s though other octets stand first', async (field, mediaType, file) => {
    expect((await register({ [field]: base64(file) })).status).toBe(200);
    const kept = registered().evidence?.items.find((item) => item.field === field);
    expect(kept?.file).toMatchObject({ mediaType, size: file.length });
  });

  test.each([
    ['base64', base64(png)],
    ['unsigned bytes', [...png]],
    ['signed bytes', [...new Int8Array(png)]],
  ])('takes files as %s', async (_form, identificationFront) => {
    expect((await register({ identificationFront })).status).toBe(200);
    const front = registered().evidence?.items.find(({ field }) => field === 'identificationFront');
    expect(front?.file?.sha256).toBe(createHash('sha256').update(png).digest('hex'));
  });

  test.each([
    ['identificationFront', video, 'identificationFront must be a JPEG or PNG image or a PDF'],
    ['identificationSelfie', pdf, 'identificationSelfie must be a JPEG or PNG image'],
    ['pdfCompanyRuc', png, 'pdfCompanyRuc must be a PDF'],
    ['authorizationVideo', pdf, 'authorizationVideo must be an MP4, MOV or WebM video'],
    [
      'authorizationVideo',
      Buffer.from('GIF89a of no known type'),
      'authorizationVideo must be an MP4, MOV or WebM video',
    ],
    [
      'pdfCompanyRuc',
      Buffer.concat([Buffer.alloc(70_001, 0x0a), pdf]),
      'pdfCompanyRuc is a PDF with 70001 octets before its header %PDF-, which must stand within the first 1,024; remove them',
    ],
    [
      'identificationFront',
      Buffer.concat([Buffer.alloc(1_020), pdf]),
      'identificationFront is a PDF with 1020 octets before its header %PDF-, which must stand within the first 1,024; remove them',
    ],
    [
      'identificationSelfie',
      Buffer.concat([Buffer.alloc(2_000), pdf]),
      'identificationSelfie must be a JPEG or PNG image',
    ],
  ])('with %s of another kind is refused, naming what is taken', async (field, file, message) => {
    const answer = await register({ [field]: base64(file) });
    expect(answer.status).toBe(400);
    expect(answer.error().errors).toMatchObject([{ code: 'FILE_TYPE_NOT_ALLOWED', field, message }]);
    expect(registered().files.some((one) => one.field === field)).toBe(true);
    expect(registered().evidence).toBeUndefined();
  });

  test.each([
    ['text that is not base64', 'this is not base64!'],
    ['numbers that are not bytes', [1, 2, 300]],
    ['neither text nor an array', { data: 'x' }],
  ])('with a file that is %s is refused', async (_form, pdfCompanyRuc) => {
    const answer = await register({ pdfCompanyRuc });
    expect(answer.status).toBe(400);
    expect(answer.error().errors).toMatchObject([{ code: 'FIELD_INVALID', field: 'pdfCompanyRuc' }]);
  });

  test('with a file over the limit of its kind is 413; an identity certificate may be as large as a PDF', async () => {
    const large = (head: Buffer) => base64(Buffer.concat([head, Buffer.alloc(5_000_001)]));
    const image = await register({ identificationFront: large(png), city: undefined });
    expect(image.status).toBe(413);
    expect(image.error().errors).toMatchObject([{ code: 'FILE_TOO_LARGE', field: 'identificationFront' }]);
    const document = await register({ identificationFront: large(pdf), isIdentityCertificate: true });
    expect(document.status).toBe(200);
  });

  test('with several faults is told them all', async () => {
    const answer = await register({ countryCode: 'EC', period: 'SIX_YEARS', pdfCompanyRuc: base64(png) });
    expect(answer.error().errors).toMatchObject([
      { code: 'FIELD_INVALID', field: 'countryCode' },
      { code: 'INVALID_PERIOD', field: 'period' },
      { code: 'FILE_TYPE_NOT_ALLOWED', field: 'pdfCompanyRuc' },
    ]);
  });

  test('whose outcome is not known is sent once more, with the same id', async () => {
    gateway.state.registerFailures.push(new AppError({ code: 'SERVICE_UNAVAILABLE' }));
    expect((await register()).status).toBe(200);
    const ids = gateway.state.registered.map(({ input }) => input.requestId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});

describe('a correction', () => {
  test('hands on what is sent anew and answers the record, with the identifier of the family', async () => {
    const answer = await correct({ fingerCode: 'V4333V2222', identificationSelfie: [...png] });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ requestId, status: 'REGISTERED', validationStatus: 'PENDING' });
    expect(answer.json()).not.toHaveProperty('version');
    expect(corrected()).toMatchObject({
      family: 'FR',
      requestId,
      corrections: { fingerCode: 'V4333V2222' },
      faults: [],
      files: [{ field: 'identificationSelfie', mediaType: 'image/png' }],
      evidence: { items: [{ field: 'identificationSelfie' }] },
    });
  });

  test('of nothing hands on the identifier alone', async () => {
    await send('PATCH', { referenceTransaction: 'FR-1', unknown: 1 });
    expect(corrected()).toEqual({
      family: 'FR',
      referenceTransaction: 'FR-1',
      corrections: {},
      faults: [],
      files: [],
    });
  });

  test('of a field that nothing can correct is refused, and one left empty is none', async () => {
    const answer = await correct({ province: 'Guayas', address: '' });
    expect(answer.status).toBe(400);
    expect(answer.error().errors).toMatchObject([{ code: 'FIELD_NOT_CORRECTABLE', field: 'province' }]);
  });

  test('without an identifier is refused', async () => {
    const answer = await send('PATCH', { fingerCode: 'V4333V2222' });
    expect(answer.error()).toMatchObject({ status: 400, code: 'FIELD_REQUIRED' });
    expect(gateway.state.corrected).toEqual([]);
  });

  test('is not made by other methods, which are told those that there are', async () => {
    const answer = await call(`${gateway.url}/collector/request`, { token, method: 'PUT', body: {} });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('PATCH, POST');
  });
});

test('the status of a regular request is its record by its own identifier', async () => {
  const url = `${gateway.url}/gateway/request/status?requestId=${requestId}`;
  const answer = await call(url, { token });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('etag')).toBe('"3"');
  expect(answer.json()).toMatchObject({ requestId, status: 'VALIDATING' });
  expect(answer.json()).not.toHaveProperty('linkedPartnerRequestId');
});
