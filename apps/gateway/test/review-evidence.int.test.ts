import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { objectStore } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import type { ErrorObject } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { openBrowser } from '@rubrica/testkit/browser';
import { describe, expect, test } from 'vitest';
import { evidenceUrl, sealFile, sha256 } from './support/fake-reviews.ts';
import { operator } from './support/fake-state.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(2_000)]);
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(3_000_000)]);

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const gateway = await disposeAfterAll(testGateway());

function newToken() {
  return randomBytes(32).toString('base64url');
}

function address(token: string) {
  return `${gateway.url}/review/evidence/${token}`;
}

async function put(bytes: Buffer) {
  const upload = objectStore(gateway.bus, evidenceBucket).upload();
  upload.write(bytes);
  return upload.finish();
}

/** As intake keeps it: the file as the gateway stored it, in intake's own row or in the object store. */
async function linked(bytes: Buffer, overrides: { isObject?: boolean; mediaType?: string } = {}) {
  const { key, size, sha256: digest, stored } = sealFile(bytes);
  const { isObject = false, mediaType = 'image/png' } = overrides;
  const place = isObject ? { object: await put(stored) } : { content: stored };
  const token = newToken();
  const file = { mediaType, size, sha256: digest, ...place };
  gateway.state.reviews.links.set(sha256(token), { operatorId: operator.operatorId, key, file });
  return token;
}

/** A page of a site that is not the gateway's: the name of the host differs. */
async function pageWith(body: string) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(body);
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function operatorToken(): Promise<string> {
  const { email, password } = operator;
  const answer = await call(`${gateway.url}/trpc/auth.signIn`, {
    body: JSON.stringify({ email, password }),
    headers: { 'content-type': 'application/json' },
  });
  return answer.json<{ result: { data: { accessToken: string } } }>().result.data.accessToken;
}

describe('the link to an evidence', () => {
  test.each([
    ['in the call', false, png, 'image/png'],
    ['in the object store', true, pdf, 'application/pdf'],
  ])('shows the very bytes of a file that is kept %s', async (_where, isObject, bytes, type) => {
    const token = await linked(bytes, { isObject });
    const answer = await fetch(address(token));
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'cache-control': 'no-store',
      'content-disposition': 'inline',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  test.each([
    ['an image of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
    ['a video of another origin', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'video' }],
    ['an image of its own origin', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' }],
  ])('may be shown from anywhere, and says so to %s, also where it opens nothing', async (_who, headers) => {
    for (const [token, status] of [
      [await linked(png), 200],
      [newToken(), 404],
    ] as const) {
      const answer = await fetch(address(token), { headers: { ...headers, 'sec-fetch-mode': 'no-cors' } });
      const policies = [answer.headers.get('cross-origin-resource-policy'), answer.status];
      expect(policies).toEqual(['cross-origin', status]);
    }
  });

  test('is shown by a browser as an image of a page of another site', async () => {
    await using elsewhere = await pageWith(`<img id="evidence" src="${address(await linked(pixel))}">`);
    await using browser = await openBrowser();
    const page = await browser.page();
    await page.goto(elsewhere.url);
    expect(await page.evaluate("document.getElementById('evidence').naturalWidth")).toBe(1);
  });

  test('is opened by the hash of its token, with the address it was opened from', async () => {
    const token = await linked(png);
    await fetch(address(token));
    expect(gateway.state.reviews.opened.at(-1)).toEqual({
      tokenSha256: sha256(token),
      remoteAddress: '127.0.0.1',
    });
    expect(JSON.stringify(gateway.lines)).not.toContain(token);
  });

  test('names a type by the content, never by what was stored with it', async () => {
    const token = await linked(Buffer.from('<script>alert(1)</script>'), { mediaType: 'text/html' });
    const answer = await fetch(address(token));
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  });

  test('that was never given out, or that cannot be one, is 404 in the error object, which does not repeat it', async () => {
    for (const token of [newToken(), 'short', `${newToken()}x`]) {
      const answer = await fetch(address(token));
      const error = (await answer.json()) as ErrorObject;
      expect([answer.status, error.code, error.path]).toEqual([
        404,
        'ROUTE_NOT_FOUND',
        '/review/evidence/{token}',
      ]);
    }
  });

  test('to an evidence that was erased, here or in the store, is 409', async () => {
    const erased = newToken();
    gateway.state.reviews.links.set(sha256(erased), new AppError({ code: 'PAYLOAD_EXPIRED' }));
    const swept = await linked(png, { isObject: true });
    const manager = await gateway.bus.nc.jetstreamManager();
    await manager.streams.purge(`OBJ_${evidenceBucket}`);
    for (const token of [erased, swept]) {
      const answer = await fetch(address(token));
      expect([answer.status, ((await answer.json()) as ErrorObject).code]).toEqual([409, 'PAYLOAD_EXPIRED']);
    }
  });

  test('opens for its operator and for a browser that says nothing of who is signed in, not for another', async () => {
    const token = await linked(png);
    const headers = { authorization: `Bearer ${await operatorToken()}` };
    expect((await fetch(address(token), { headers })).status).toBe(200);
    const known = gateway.state.reviews.links.get(sha256(token));
    if (known === undefined || known instanceof AppError) throw new Error('no link');
    const another = { ...known, operatorId: '0197a000-0000-7000-8000-0000000000bb' };
    gateway.state.reviews.links.set(sha256(token), another);
    expect((await fetch(address(token), { headers })).status).toBe(404);
  });

  test('shows nothing of a file that is not what was taken in', async () => {
    const token = await linked(png);
    const known = gateway.state.reviews.links.get(sha256(token));
    if (known === undefined || known instanceof AppError) throw new Error('no link');
    gateway.state.reviews.links.set(sha256(token), { ...known, key: Buffer.alloc(32) });
    const answer = await fetch(address(token));
    expect([answer.status, ((await answer.json()) as ErrorObject).code]).toEqual([500, 'INTERNAL_ERROR']);
  });

  test('is not opened by a HEAD, and by no other method', async () => {
    const token = await linked(png);
    const before = gateway.state.reviews.opened.length;
    for (const method of ['HEAD', 'POST', 'DELETE'])
      expect((await fetch(address(token), { method })).status, method).toBe(405);
    expect(gateway.state.reviews.opened).toHaveLength(before);
  });

  test('arrives sealed to the gateway and is opened for the operator', async () => {
    const id = '0197a000-0000-7000-8000-000000000111';
    const answer = await call(`${gateway.url}/trpc/reviews.evidence`, {
      body: JSON.stringify({ requestId: id, evidenceId: id }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await operatorToken()}` },
    });
    expect(answer.json<{ result: { data: { url: string } } }>().result.data.url).toBe(evidenceUrl);
  });
});
