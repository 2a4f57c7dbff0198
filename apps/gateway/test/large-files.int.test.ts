import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestGateway, testGateway } from './support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const asked = () => gateway.state.asked.filter(({ path }) => path === 'pki.file').length;
const large = () => gateway.state.largeFile;

beforeEach(async () => {
  // What a test before has fetched may be kept for a second.
  large().onPiece = () => undefined;
  large().sign(randomBytes(5_000_000));
  await expect.poll(async () => (await fetchLarge()).headers.get('etag')).toBe(`"${large().number}"`);
});

async function fetchLarge() {
  const answer = await fetch(`${gateway.url}/pki/large.crl`);
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
  const all = await Promise.all(Array.from({ length: 12 }, fetchLarge));
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
