import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterEach, expect, test } from 'vitest';
import { operator } from './support/fake-state.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const pages = new Set<AbortController>();

const gateway = await disposeAfterAll(testGateway());
const { email, password } = operator;
const answer = await call(`${gateway.url}/trpc/auth.signIn`, { body: { email, password } });
const token = answer.json<{ result: { data: { accessToken: string } } }>().result.data.accessToken;

afterEach(async () => {
  gateway.state.tokenRevoked = false;
  for (const page of pages) page.abort();
  pages.clear();
});

async function open(authorization: string | undefined = `Bearer ${token}`) {
  const page = new AbortController();
  pages.add(page);
  return fetch(`${gateway.url}/live`, {
    signal: page.signal,
    headers: authorization === undefined ? {} : { authorization },
  });
}

/** As soon as there is room: those of the test before end a moment later. */
async function opened(): Promise<Response> {
  let answer = await open();
  await expect
    .poll(async () => {
      if (answer.status === 429) answer = await open();
      return answer.status;
    })
    .toBe(200);
  return answer;
}

/** Reads until the text is there, or the stream ends. */
async function readUntil(answer: Response, wanted: string): Promise<string> {
  let text = '';
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.includes(wanted)) return text;
  }
  return text;
}

function tell(subject: string, data: unknown) {
  gateway.bus.nc.publish(subject, typeof data === 'string' ? data : JSON.stringify(data));
}

test('an operator hears what happens, as ids and states alone', async () => {
  const answer = await opened();
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const requestId = uuidv7();
  tell('live.events.review.changed', 'no JSON');
  tell('live.events.review.changed', { requestId, change: 'unheard of' });
  tell('live.events.certificate.failed', {
    requestId,
    attempt: 1,
    code: 'CERTIFICATE_SIGNING_FAILED',
    applicantName: 'María',
  });
  tell('live.events.review.changed', { requestId, change: 'waiting', identificationNumber: '1710034065' });
  const text = await readUntil(answer, 'waiting"}\n\n');
  expect(text.replaceAll(':\n\n', '')).toBe(
    [
      'retry: 3000\n\n',
      'event: certificate.failed\n',
      `data: ${JSON.stringify({ requestId, code: 'CERTIFICATE_SIGNING_FAILED' })}\n\n`,
      'event: review.changed\n',
      `data: ${JSON.stringify({ requestId, change: 'waiting' })}\n\n`,
    ].join(''),
  );
});

test.each([
  ['nobody', undefined],
  ['a stale token', 'Bearer x.y.z'],
])('%s is asked to sign in', async (_who, authorization) => {
  const answer = await fetch(`${gateway.url}/live`, { headers: authorization ? { authorization } : {} });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, 'UNAUTHENTICATED']);
});

test('a partner has no part in it', async () => {
  expect((await open(`Bearer ${await gateway.token()}`)).status).toBe(401);
});

test('the stream ends when the right does, and none begins', async () => {
  const answer = await opened();
  gateway.state.tokenRevoked = true;
  expect(await readUntil(answer, 'nothing that is ever said')).toContain('retry: 3000');
  expect((await open()).status).toBe(401);
});

test('an operator has four at once, and one that ends makes room', async () => {
  for (let index = 0; index < 4; index += 1) await opened();
  const refused = await open();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  for (const page of [...pages].slice(0, 4)) page.abort();
  await opened();
});
