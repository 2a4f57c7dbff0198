import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { scratchDirectory } from '@rubrica/testkit';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type TestGateway, testGateway } from './support/gateway.ts';

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
  scratch = await scratchDirectory('large-files');
  vi.stubEnv('TMPDIR', scratch.path);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await gateway[Symbol.asyncDispose]();
  expect(await readdir(scratch.path)).toEqual([]);
  await scratch[Symbol.asyncDispose]();
});

const asked = () => gateway.state.asked.filter(({ path }) => path === 'pki.file').length;
const large = () => gateway.state.largeFile;

beforeEach(async () => {
  // What a test before has fetched may be kept for a second.
  large().onPiece = () => undefined;
  large().sign(randomBytes(5_000_000));
  await expect.poll(async () => (await fetchLarge()).headers.get('etag')).toBe(`"${large().number}"`);
});

async function fetchLarge(init: RequestInit = {}) {
  const answer = await fetch(`${gateway.url}/pki/large.crl`, init);
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

test('a CRL larger than a bus message comes whole, piece by piece, with its length', async () => {
  const { status, headers, bytes } = await fetchLarge();
  expect([status, headers.get('content-length')]).toEqual([200, '5000000']);
  expect(bytes.equals(large().bytes)).toBe(true);
});

test('many who ask at once cause one fetch, and each gets all of it', async () => {
  large().sign(randomBytes(5_000_000));
  await expect.poll(async () => (await fetchLarge()).headers.get('etag')).toBe(`"${large().number}"`);
  const before = asked();
  const all = await Promise.all(Array.from({ length: 12 }, () => fetchLarge()));
  expect(all.every(({ bytes }) => bytes.equals(large().bytes))).toBe(true);
  expect(asked() - before).toBeLessThanOrEqual(6);
});

test('one that is signed anew while it is fetched is never mixed with the one before', async () => {
  const next = randomBytes(4_500_000);
  let signed = false;
  large().sign(randomBytes(5_000_000));
  large().onPiece = (from) => {
    if (from === 0 || signed) return;
    signed = true;
    large().sign(next);
  };
  await expect.poll(async () => (await fetchLarge()).bytes.equals(next)).toBe(true);
  expect(signed).toBe(true);
});

test('one that changes at every piece is refused for now, and served once it rests', async () => {
  large().sign(randomBytes(5_000_000));
  large().onPiece = (from) => {
    if (from > 0) large().sign(randomBytes(5_000_000));
  };
  await expect.poll(async () => (await fetchLarge()).status).toBe(503);
  large().onPiece = () => undefined;
  const answer = await fetchLarge();
  expect([answer.status, answer.bytes.equals(large().bytes)]).toEqual([200, true]);
});

test('whoever has it is told so without its octets, and whoever has an older one gets all of it', async () => {
  const { headers } = await fetchLarge();
  const etag = headers.get('etag') ?? '';
  const same = await fetchLarge({ headers: { 'if-none-match': `"0", W/${etag}` } });
  expect([same.status, same.bytes.length, same.headers.get('content-length')]).toEqual([304, 0, null]);
  for (const name of ['etag', 'last-modified'])
    expect([name, same.headers.get(name)]).toEqual([name, headers.get(name)]);
  expect(same.headers.get('cache-control')).toMatch(/^public, max-age=[01]$/);
  expect(new Date(headers.get('last-modified') ?? '')).toEqual(new Date(large().number * 1_000));
  const older = await fetchLarge({ headers: { 'if-none-match': '"0"' } });
  expect([older.status, older.bytes.equals(large().bytes)]).toEqual([200, true]);
  const head = await fetchLarge({ method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
    200,
    '5000000',
    etag,
  ]);
});

test('one that is still the same when its time is over is asked about, and not fetched again', async () => {
  await fetchLarge();
  const from: number[] = [];
  large().onPiece = (place) => from.push(place);
  await expect.poll(async () => (await fetchLarge()) && from.length).toBeGreaterThan(1);
  expect(new Set(from)).toEqual(new Set([5_000_000]));
});

test('one file is kept on disk, the one that is served', async () => {
  for (let signed = 1; signed <= 3; signed += 1) {
    large().sign(randomBytes(4_500_000));
    await expect.poll(async () => (await fetchLarge()).bytes.equals(large().bytes)).toBe(true);
  }
  const [folder = ''] = await readdir(scratch.path);
  await expect.poll(() => readdir(`${scratch.path}/${folder}`)).toHaveLength(1);
});
