import { createDecipheriv, createHash } from 'node:crypto';
import { objectStore } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { linkedPartnerBody, pdf, png } from './support/bodies.ts';
import { createFakeState, partner } from './support/fake-state.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());
const token = await gateway.token();

beforeEach(() => {
  gateway.state.registered.length = 0;
  gateway.state.registerFailures.length = 0;
  Object.assign(gateway.state, { status: createFakeState().status });
});

function register(body: unknown, headers: Record<string, string> = {}) {
  return call(`${gateway.url}/collector/linked-partner/request`, { token, body, headers });
}

function lastRegistered() {
  const last = gateway.state.registered.at(-1);
  if (last === undefined) throw new Error('nothing was registered');
  return last;
}

async function decrypt(key: Uint8Array, encrypted: Uint8Array): Promise<Buffer> {
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12));
  decipher.setAuthTag(encrypted.subarray(-16));
  return Buffer.concat([decipher.update(encrypted.subarray(12, -16)), decipher.final()]);
}

async function bundleKey(): Promise<Uint8Array> {
  const { evidence, requestId: owner } = lastRegistered().input;
  return gateway.keyrings.intake.open(evidence?.key ?? '', { purpose: 'evidence-key', owner });
}

test('an accepted request is answered exactly as specified', async () => {
  const answer = await register(linkedPartnerBody());
  expect(answer.status).toBe(200);
  expect(answer.json()).toEqual({
    linkedPartnerRequestId: lastRegistered().input.requestId,
    referenceTransaction: 'TX-1',
    status: 'REGISTERED',
    validationStatus: 'PENDING',
    createdAt: '2026-03-01 12:00:00',
    errors: [],
  });
});

test('intake gets the partner in a signed identity, and the fields without files and secrets', async () => {
  await register(linkedPartnerBody({ city: '  Quito ', secondEmail: '', companyRuc: null, unknown: 1 }));
  const { input, caller } = lastRegistered();
  expect(caller).toMatchObject({ kind: 'partner', partnerId: partner.partnerId });
  expect(input).toMatchObject({ family: 'TV', faults: [] });
  expect(input.fields.city).toBe('Quito');
  for (const absent of ['secondEmail', 'companyRuc', 'unknown', 'password', 'evidences']) {
    expect(input.fields).not.toHaveProperty(absent);
  }
});

test('texts are NFC, but the password is taken as it is and only generation can open it', async () => {
  const spaced = '  Una clave  larga ';
  await register(linkedPartnerBody({ city: 'Ibarra\u0301', password: spaced }));
  const { input } = lastRegistered();
  expect(input.fields.city).toBe('Ibarrá');
  const { generation, intake } = gateway.keyrings;
  const binding = { purpose: 'certificate-password', owner: input.requestId } as const;
  expect(await generation.openText(input.sealedPassword ?? '', binding)).toBe(spaced);
  await expect(intake.openText(input.sealedPassword ?? '', binding)).rejects.toThrow();
});

test.each([
  ['base64', png.toString('base64')],
  ['URL-safe base64 without padding', png.toString('base64url')],
  ['a data: address', `data:image/jpeg;base64,${png.toString('base64')}`],
  ['an array of unsigned bytes', [...png]],
  ['an array of signed bytes', [...new Int8Array(png)]],
])(
  'an evidence sent as %s arrives whole, encrypted for intake, its type told by its content',
  async (_form, file) => {
    const answer = await register(linkedPartnerBody({ evidences: [{ evidenceFile: file }] }));
    expect(answer.status).toBe(200);
    const [item] = lastRegistered().input.evidence?.items ?? [];
    expect(item?.file).toMatchObject({
      mediaType: 'image/png',
      size: png.length,
      sha256: createHash('sha256').update(png).digest('hex'),
    });
    const encrypted = Buffer.from(item?.file?.content ?? []);
    expect(encrypted.includes(png)).toBe(false);
    expect(await decrypt(await bundleKey(), encrypted)).toEqual(png);
  },
);

test('evidence too large for a call is put into the object store, encrypted, before intake is called', async () => {
  const large = Buffer.concat([pdf, Buffer.alloc(400_000, 7)]);
  await register(linkedPartnerBody({ evidences: [{ evidenceFile: large.toString('base64') }] }));
  const { input } = lastRegistered();
  const file = input.evidence?.items[0]?.file;
  expect(file?.content).toBeUndefined();
  if (file?.object === undefined) throw new Error('it has no entry');
  const stored = await objectStore(gateway.bus, evidenceBucket).get(file.object).bytes();
  expect(await decrypt(await bundleKey(), stored)).toEqual(large);
});

test.each([
  ['text that is not base64', 'this is not base64!'],
  ['text that only looks like base64 but holds no known type', Buffer.from('hello there').toString('base64')],
  ['numbers that are not bytes', [1, 2, 300]],
  ['a data: address that is not base64', 'data:text/plain,hello'],
])('an evidence of %s: the request is accepted with errors', async (_form, evidenceFile) => {
  const answer = await register(
    linkedPartnerBody({ evidences: [{ evidenceFile: png.toString('base64') }, { evidenceFile }] }),
  );
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({
    status: 'ERROR',
    validationStatus: 'ERROR',
    message: expect.stringContaining('evidences[1].evidenceFile'),
    errors: [{ code: 'EVIDENCE_INVALID', field: 'evidences[1].evidenceFile', correctable: true }],
  });
  expect(lastRegistered().input.evidence?.items).toHaveLength(1);
});

test('an evidence that is neither text nor an array is refused', async () => {
  const answer = await register(linkedPartnerBody({ evidences: [{ evidenceFile: { a: 1 } }] }));
  expect(answer.status).toBe(400);
  expect(answer.error().errors).toMatchObject([
    { code: 'FIELD_INVALID', field: 'evidences[0].evidenceFile' },
  ]);
});

test('a file over its limit is 413, whatever else is wrong', async () => {
  const image = Buffer.concat([png, Buffer.alloc(5_000_001)]).toString('base64');
  const answer = await register(linkedPartnerBody({ city: undefined, evidences: [{ evidenceFile: image }] }));
  expect(answer.status).toBe(413);
  expect(answer.error()).toMatchObject({
    code: 'FILE_TOO_LARGE',
    errors: [
      {
        field: 'evidences[0].evidenceFile',
        message: 'evidences[0].evidenceFile is larger than the 5 MB that are allowed',
      },
    ],
  });
  expect(gateway.state.registered).toHaveLength(0);
});

test('all faults of a body come in one answer, through intake, each with code, field and words', async () => {
  const answer = await register(
    linkedPartnerBody({
      city: undefined,
      period: 'SIX_YEARS',
      applicationType: 'ROBOT',
      documentType: 7,
      certificateType: 'X',
      email: 'nobody',
      address: 'a\u0000b',
      password: 'short',
      evidences: [{ evidenceType: 'FACE', validatorUrl: 'ftp://x' }, 'x', {}],
    }),
  );
  expect(answer.status).toBe(400);
  const error = answer.error();
  expect(error.errors.map(({ code, field }) => `${code} ${field}`).sort()).toEqual([
    'EVIDENCE_MISSING evidences[2].evidenceFile',
    'FIELD_INVALID address',
    'FIELD_INVALID email',
    'FIELD_INVALID evidences[0].evidenceType',
    'FIELD_INVALID evidences[0].validatorUrl',
    'FIELD_INVALID evidences[1]',
    'FIELD_INVALID password',
    'FIELD_REQUIRED city',
    'INVALID_APPLICATION_TYPE applicationType',
    'INVALID_CERTIFICATE_TYPE certificateType',
    'INVALID_DOCUMENT_TYPE documentType',
    'INVALID_PERIOD period',
  ]);
  expect(error.messages).toEqual(error.errors.map(({ message }) => message));
  expect(error.messages).toContain('city is required');
  const { input } = lastRegistered();
  expect(input.fields.referenceTransaction).toBe('TX-1');
  expect(input.evidence).toBeUndefined();
});

test.each([
  ['absent', undefined, 'EVIDENCE_MISSING'],
  ['empty', [], 'EVIDENCE_MISSING'],
  ['too many', Array.from({ length: 21 }, () => ({ validatorUrl: 'https://a.example' })), 'FIELD_INVALID'],
  ['no list', 'x', 'FIELD_INVALID'],
])('evidences %s are a fault', async (_form, evidences, code) => {
  const answer = await register(linkedPartnerBody({ evidences }));
  expect(answer.status).toBe(400);
  expect(answer.error().errors).toMatchObject([{ code, field: 'evidences' }]);
});

test('an evidence may be only an address, which is passed on as it is', async () => {
  const answer = await register(
    linkedPartnerBody({ evidences: [{ validatorUrl: 'https://check.example/1' }] }),
  );
  expect(answer.status).toBe(200);
  expect(lastRegistered().input.evidence?.items).toMatchObject([{ validatorUrl: 'https://check.example/1' }]);
});

test('fields other than files may come to 256 KiB and not more, unknown ones counted', async () => {
  expect((await register(linkedPartnerBody({ extra: 'x'.repeat(250_000) }))).status).toBe(200);
  const answer = await register(linkedPartnerBody({ extra: 'x'.repeat(262_144) }));
  expect(answer.status).toBe(413);
  expect(answer.error().code).toBe('BODY_TOO_LARGE');
});

test('when intake is not reached in time the same registration is sent once more, under the same id', async () => {
  gateway.state.registerFailures.push(new AppError({ code: 'SERVICE_UNAVAILABLE' }));
  const answer = await register(linkedPartnerBody());
  expect(answer.status).toBe(200);
  const [first, second, ...more] = gateway.state.registered;
  expect(more).toHaveLength(0);
  expect(second?.input).toEqual(first?.input);
});

test('when intake stays away the answer is 503 with Retry-After', async () => {
  const failures = [1, 2].map(() => new AppError({ code: 'SERVICE_UNAVAILABLE' }));
  gateway.state.registerFailures.push(...failures);
  const answer = await register(linkedPartnerBody());
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('2');
  expect(answer.error()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', errors: [{ retryable: true }] });
});

test("a fault of intake's own is an opaque 500 that names the trace", async () => {
  gateway.state.registerFailures.push(new Error('secret detail of a table'));
  const answer = await register(linkedPartnerBody());
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain('secret detail');
  expect(answer.error()).toMatchObject({
    code: 'INTERNAL_ERROR',
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

test('a repeated referenceTransaction is 409 with the five fields of the specification', async () => {
  const publicMessage = 'A request with referenceTransaction "TX-1" already exists';
  gateway.state.registerFailures.push(
    new AppError({ code: 'DUPLICATED_REFERENCE_TRANSACTION', publicMessage }),
  );
  const answer = await register(linkedPartnerBody());
  expect(answer.status).toBe(409);
  expect(answer.error()).toMatchObject({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    status: 409,
    error: 'Conflict',
    message: publicMessage,
    path: '/collector/linked-partner/request',
  });
});

test('neither password nor files nor names reach the log', async () => {
  await register(linkedPartnerBody({ password: 'canary-password', applicantName: 'CANARYNAME' }));
  await register(linkedPartnerBody({ password: 'canary-password', city: undefined }));
  const log = gateway.lines.join('');
  expect(log).toContain('request refused');
  for (const secret of ['canary-password', 'CANARYNAME', png.toString('base64'), token])
    expect(log).not.toContain(secret);
});
