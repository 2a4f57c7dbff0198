import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createByteBudget } from '@rubrica/process/bodies';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFileKeeper } from '../src/body/files/keep-files.ts';
import { createStoredFiles } from '../src/body/files/stored-files.ts';
import { createJsonBodyReader } from '../src/body/read-json-body.ts';

let taken = 0;
let hasEnded = false;
const readBody = createJsonBodyReader({
  budget: createByteBudget({ maxBytes: 8_000_000, maxBytesPerCaller: 8_000_000 }),
  pace: { bytesPerSecond: 1, windowMs: 60_000 },
  workScheduler: {
    of: () => ({
      take() {
        taken += 1;
        return undefined;
      },
      hasEnded: () => hasEnded,
    }),
  },
  storedFiles: createStoredFiles({ maxBytesPerCaller: 0 }),
  openFileKeeper: (stored) =>
    createFileKeeper(() => {
      throw new Error('no file of these tests goes to the store');
    }, stored),
});
const server = createServer(async (request, response) => {
  const plan = { maxBytes: 1e9, maxFieldBytes: 4_000_000, maxBytesOf: () => 1e9, files: [] };
  await readBody({ raw: request, caller: { kind: 'public' }, ip: '127.0.0.1' }, plan);
  response.end('read');
});

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());
beforeEach(() => {
  taken = 0;
  hasEnded = false;
});

async function send(bytes: number): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ text: 'x'.repeat(bytes) });
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
  expect(await answer.text()).toBe('read');
}

test('a body as small as most registrations waits for nobody', async () => {
  await send(200_000);
  expect(taken).toBe(0);
});

test('a large body takes turns with the others', async () => {
  await send(3_000_000);
  expect(taken).toBeGreaterThan(0);
});

test('a large body that costs more time than a turn has takes one for each 16 KiB', async () => {
  hasEnded = true;
  await send(3_000_000);
  // The first 256 KiB, and chunks up to 16 KiB, take none.
  expect(taken).toBeGreaterThan(60);
});
