import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { type BatchOptions, openBatch } from './support/batch-call.ts';
import { linkedPartnerBody, png } from './support/bodies.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(
  testGateway({ BATCH_LINES: '300', BODY_LIMITS_BYTES: 'registerLinkedPartnerBatch=20000' }),
);
const token = await gateway.token();

beforeEach(() => {
  gateway.state.registered.length = 0;
  gateway.state.registerFailures.length = 0;
});

const lineOf = (referenceTransaction: string, overrides: Record<string, unknown> = {}) =>
  JSON.stringify(linkedPartnerBody({ referenceTransaction, ...overrides }));
const open = (options: Partial<BatchOptions> = {}) => openBatch(gateway.url, { token, ...options });
const idOf = (reference: string) =>
  gateway.state.registered.find(({ input }) => input.fields.referenceTransaction === reference)?.input
    .requestId;
const registered = () => gateway.state.registered.map(({ input }) => input.fields.referenceTransaction);

async function answersTo(body: string | Buffer, options: Partial<BatchOptions> = {}) {
  const batch = open(options);
  await batch.send(body);
  batch.end();
  return batch.rest();
}

test('each line is answered in its place as the registration would be by itself, blank lines counted', async () => {
  const faulty = linkedPartnerBody({ email: 'no', period: 'ONE_DAY' });
  const body = ['\ufeff', lineOf('B-1'), ' \r', JSON.stringify(faulty), '[1]', '{"a":', `${lineOf('B-2')}\r`];
  const answers = await answersTo(body.join('\n'));
  expect(answers.map(({ line, status }) => [line, status])).toEqual([
    [2, 200],
    [4, 400],
    [5, 400],
    [6, 400],
    [7, 200],
  ]);
  expect(answers[0]).toEqual({
    line: 2,
    status: 200,
    body: {
      linkedPartnerRequestId: idOf('B-1'),
      referenceTransaction: 'B-1',
      status: 'REGISTERED',
      validationStatus: 'PENDING',
      createdAt: '2026-03-01 12:00:00',
      errors: [],
    },
  });
  const alone = await call(`${gateway.url}/collector/linked-partner/request`, { token, body: faulty });
  const { traceId: _t, timestamp: _at, ...refusal } = alone.error();
  expect(answers[1]?.body).toMatchObject({ ...refusal, path: '/collector/linked-partner/batch' });
  expect(answers.slice(2, 4).map(({ body: { code } }) => code)).toEqual(['BODY_MALFORMED', 'BODY_MALFORMED']);
});

test('the answer says what it is, and its texts are in the language of the caller', async () => {
  const batch = open({ headers: { 'accept-language': 'es' } });
  await batch.send('7\n');
  batch.end();
  const { headers, statusCode } = await batch.response;
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('application/x-ndjson');
  expect(headers['content-language']).toBe('es');
  expect((await batch.rest())[0]?.body.message).toBe('El cuerpo debe ser un objeto JSON');
});

test('answers come while the body is still being sent', async () => {
  const batch = open();
  for (const reference of ['C-1', 'C-2', 'C-3']) {
    await batch.send(`${lineOf(reference)}\n`);
    expect((await batch.next())?.body.referenceTransaction).toBe(reference);
  }
  batch.end();
  expect(await batch.next()).toBeUndefined();
});

test('a caller who reads nothing before all is sent loses no answer', async () => {
  const count = 300;
  const refusal = JSON.stringify(linkedPartnerBody({ email: 'x'.repeat(300), city: '\u0000', period: 'x' }));
  const answers = await answersTo(`${refusal}\n`.repeat(count));
  expect(answers.map(({ line }) => line)).toEqual(Array.from({ length: count }, (_one, index) => index + 1));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
});

test('evidence too large for a call goes to the store from a line too', async () => {
  await using large = await testGateway();
  const batch = openBatch(large.url, { token: await large.token() });
  const evidenceFile = Buffer.concat([png, Buffer.alloc(1_500_000)]).toString('base64');
  const line = lineOf('F-1', { evidences: [{ evidenceFile }] });
  await batch.send(`${line}\n${lineOf('F-2')}\n`);
  batch.end();
  expect((await batch.rest()).map(({ status }) => status)).toEqual([200, 200]);
  const placed = large.state.registered.map(({ input }) => [
    input.fields.referenceTransaction,
    input.evidence?.items[0]?.file?.object !== undefined,
  ]);
  expect(Object.fromEntries(placed)).toEqual({ 'F-1': true, 'F-2': false });
});

test('a line that is too large is 413, whatever else is wrong with it, and the next one is taken', async () => {
  const answers = await answersTo(`{"x":${'y'.repeat(30_000)}\n${lineOf('D-1')}\n`);
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [413, 'BODY_TOO_LARGE'],
    [200, undefined],
  ]);
});

test('blank lines have a limit too', async () => {
  expect(await answersTo(`${lineOf('B-1')}${'\n'.repeat(400)}`)).toHaveLength(1);
  const answers = await answersTo('\n'.repeat(1_000));
  expect(answers).toHaveLength(1);
  expect(answers[0]).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
});

test('the line after the last allowed is 413 and the end, though the caller sends on', async () => {
  const batch = open();
  await batch.send('7\n'.repeat(300));
  for (let sent = 0; sent < 40; sent += 1) await batch.send(`${lineOf('E-1')}\n`.repeat(100));
  batch.end();
  const answers = await batch.rest();
  expect(answers).toHaveLength(301);
  expect(answers.at(-1)).toMatchObject({ line: 301, status: 413, body: { code: 'BODY_TOO_LARGE' } });
  expect(registered()).toEqual([]);
});

test('lines with one reference reach intake one after the other, in their order', async () => {
  const order: string[] = [];
  const answers = await answersTo(
    ['G-1', ' G-1 ', 'G-1', 'G-2']
      .map((reference, index) => lineOf(reference, { city: `City ${index}` }))
      .join('\n'),
  );
  for (const { input } of gateway.state.registered) order.push(String(input.fields.city));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(order.filter((city) => city !== 'City 3')).toEqual(['City 0', 'City 1', 'City 2']);
});

test('what intake refuses is the answer of that line alone, with the time to wait', async () => {
  gateway.state.registerFailures.push(
    new AppError({ code: 'EXTERNAL_SERVICE_UNAVAILABLE', retryAfterSeconds: 7 }),
  );
  const answers = await answersTo(`${lineOf('H-1')}\n${lineOf('H-2')}`);
  expect(answers.map(({ status, retryAfter }) => [status, retryAfter])).toContainEqual([503, 7]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('lines whose right has ended meanwhile are 401, and none is taken after it', async () => {
  gateway.state.registerFailures.push(new AppError({ code: 'UNAUTHENTICATED' }));
  const [answer] = await answersTo(lineOf('I-1'));
  expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
});

test('a dry run answers each line and registers none', async () => {
  const answers = await answersTo(`${lineOf('J-1')}\n${lineOf('J-2', { email: 'no' })}`, {
    query: '?dryRun=true',
  });
  expect(answers.map(({ status, body }) => [status, body.valid])).toEqual([
    [200, true],
    [400, undefined],
  ]);
  expect(registered()).toEqual([]);
});

test('another type of body is 415, another caller 401 and 403, before anything is read', async () => {
  const url = `${gateway.url}/collector/linked-partner/batch`;
  const post = (headers: Record<string, string>, own: string | undefined) =>
    call(url, { body: lineOf('K-1'), headers, ...(own === undefined ? {} : { token: own }) });
  const asJson = await post({ 'content-type': 'application/json' }, token);
  expect([asJson.status, asJson.error().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  const lines = { 'content-type': 'application/x-ndjson' };
  expect((await post(lines, undefined)).status).toBe(401);
  expect((await post(lines, await gateway.token('status:read'))).status).toBe(403);
});

test('a connection that breaks leaves what was registered', async () => {
  const batch = open();
  await batch.send(`${lineOf('L-1')}\n${lineOf('L-2')}\n{"ref`);
  expect((await batch.next())?.status).toBe(200);
  expect((await batch.next())?.status).toBe(200);
  batch.abort();
  await expect.poll(() => gateway.lines.some((line) => line.includes('request served'))).toBe(true);
  expect(registered().toSorted()).toEqual(['L-1', 'L-2']);
});
