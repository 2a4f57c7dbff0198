import { randomBytes } from 'node:crypto';
import { AppError } from '@rubrica/process/errors';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openBatch } from './support/batch-call.ts';
import { linkedPartnerBody, pdf } from './support/bodies.ts';
import { type TestGateway, testGateway } from './support/gateway.ts';
import { openBody, slowBody } from './support/slow-body.ts';

const mebibyte = 1024 * 1024;
let gateway: TestGateway;
let token: string;

beforeEach(async () => {
  const own = await testGateway({ REFUSED_FILES_LIMIT_BYTES: `${4 * mebibyte}` });
  onTestFinished(() => own[Symbol.asyncDispose]());
  gateway = own;
  token = await gateway.token();
});

const isRefused = { city: undefined };
let bodies = 0;

/** A registration with one file, which the evidence store has where it is larger than 256 kB. */
function bodyOf(bytes: number, overrides: Record<string, unknown> = {}): string {
  bodies += 1;
  const evidenceFile = Buffer.concat([pdf, randomBytes(bytes)]).toString('base64');
  const fields = { referenceTransaction: `REFUSED-${bodies}`, ...overrides };
  return JSON.stringify(linkedPartnerBody({ ...fields, evidences: [{ evidenceFile }] }));
}

async function send(body: string) {
  const answer = await fetch(`${gateway.url}/collector/linked-partner/request`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
}

test('a partner whose refused calls have filled its part of the evidence store is told so, and sends small files on', async () => {
  for (let call = 0; call < 3; call += 1) expect((await send(bodyOf(mebibyte, isRefused))).status).toBe(400);
  const refused = await send(bodyOf(1.5 * mebibyte));
  expect(refused).toMatchObject({ status: 429, retryAfter: '60' });
  expect(refused.text).toContain('Too many files of yours came with calls that were refused');
  expect((await send(bodyOf(1_000))).status).toBe(200);
});

test('files that were taken count no longer, nor do those of calls that failed for a fault of ours', async () => {
  gateway.state.registerFailures.push(
    ...Array.from({ length: 4 }, () => new AppError({ code: 'INTERNAL_ERROR' })),
  );
  const statuses: number[] = [];
  for (let call = 0; call < 8; call += 1) statuses.push((await send(bodyOf(1.5 * mebibyte))).status);
  expect(statuses).toEqual([500, 500, 500, 500, 200, 200, 200, 200]);
});

test('files of a body that broke off count', async () => {
  const broken = slowBody(gateway.url, token);
  const file = Buffer.concat([pdf, randomBytes(3 * mebibyte)]).toString('base64');
  await broken.send(openBody(linkedPartnerBody()) + file);
  await expect.poll(async () => (await send(bodyOf(1.5 * mebibyte))).status).toBe(429);
  broken.abort();
  expect((await send(bodyOf(1.5 * mebibyte))).status).toBe(429);
});

test('files of lines count as those of calls', async () => {
  const batch = openBatch(gateway.url, { token });
  for (let line = 0; line < 3; line += 1) await batch.send(`${bodyOf(mebibyte, isRefused)}\n`);
  await batch.send(`${bodyOf(1_000)}\n`);
  batch.end();
  expect((await batch.rest()).map(({ status }) => status)).toEqual([400, 400, 400, 200]);
  expect((await send(bodyOf(1.5 * mebibyte))).status).toBe(429);
});
