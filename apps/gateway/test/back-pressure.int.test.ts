import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Upload } from '@rubrica/bus';
import { createByteBudget } from '@rubrica/process/bodies';
import { expect, test } from 'vitest';
import { createFileKeeper } from '../src/body/files/keep-files.ts';
import { createStoredFiles } from '../src/body/files/stored-files.ts';
import { createJsonBodyReader } from '../src/body/read-json-body.ts';
import { createWorkScheduler } from '../src/body/work-scheduler.ts';

const fileBytes = 48_000_000;
/** A window, what one piece of a body brings, and the first bytes that were kept to travel inside the call. */
const mostHeldBytes = 512 * 1024 + 256 * 1024 + 128 * 1024;

/** An object store that acknowledges only when it is told to, and then everything. */
function heldStore() {
  let heldBytes = 0;
  let storedBytes = 0;
  let largest = 0;
  let release: (() => void) | undefined;
  const upload: Upload = {
    write(piece) {
      heldBytes += piece.length;
      largest = Math.max(largest, heldBytes);
    },
    end: () => undefined,
    heldBytes: () => heldBytes,
    underWayBytes: () => heldBytes,
    acknowledged: () => new Promise((resolve) => (release = resolve)),
    failure: () => undefined,
    finish: () => Promise.reject(new Error('not in this test')),
  };
  return {
    upload,
    isWaitedFor: () => release !== undefined,
    acknowledge() {
      const waiting = release;
      release = undefined;
      storedBytes += heldBytes;
      heldBytes = 0;
      waiting?.();
    },
    facts: () => ({ heldBytes, storedBytes, largest }),
  };
}

test('a slow object store slows the sender: what is read and not stored stays within a window', async () => {
  const store = heldStore();
  const readBody = createJsonBodyReader({
    budget: createByteBudget({ maxBytes: 2_000_000, maxBytesPerCaller: 2_000_000 }),
    pace: { bytesPerSecond: 1, windowMs: 60_000 },
    workScheduler: createWorkScheduler(),
    storedFiles: createStoredFiles({ maxBytesPerCaller: 1e9 }),
    openFileKeeper: (stored) => createFileKeeper(() => store.upload, stored),
  });
  const sockets: Socket[] = [];
  const server = createServer(async (request, response) => {
    const plan = { maxBytes: 1e9, maxFieldBytes: 1_000, maxBytesOf: () => 1e9, files: ['scan'] };
    const call = { raw: request, caller: { kind: 'public' }, ip: '127.0.0.1' } as const;
    const { files } = await readBody(call, plan);
    const file = files.get('scan');
    response.end(file?.kind === 'file' ? String(file.file.size) : file?.kind);
  });
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const outgoing = httpRequest({ port, method: 'POST', headers: { 'content-type': 'application/json' } });
  const answer = new Promise<string>((resolve) =>
    outgoing.on('response', (response) => response.setEncoding('utf8').on('data', resolve)),
  );
  outgoing.end(`{"scan":"${Buffer.alloc(fileBytes, 7).toString('base64')}"}`);

  await expect.poll(store.isWaitedFor).toBe(true);
  // As base64, with what the stream before the reader may hold.
  const acceptedBytes = sockets[0]?.bytesRead ?? 0;
  expect(acceptedBytes).toBeLessThan(2_000_000);
  // The last of it may fit into the window, or not: where the pieces were cut is the connection's affair.
  let isAnswered = false;
  void answer.then(() => (isAnswered = true));
  for (;;) {
    await expect.poll(() => isAnswered || store.isWaitedFor(), { interval: 1 }).toBe(true);
    if (isAnswered) break;
    expect(store.facts().heldBytes).toBeGreaterThan(512 * 1024);
    if (store.facts().storedBytes === 0) expect(sockets[0]?.bytesRead).toBeLessThan(2_000_000);
    store.acknowledge();
  }
  expect(store.facts().storedBytes).toBeGreaterThan(fileBytes - mostHeldBytes);
  expect(await answer).toBe(String(fileBytes));
  expect(store.facts().largest).toBeLessThan(mostHeldBytes);
  server.close();
});
