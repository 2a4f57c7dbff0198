import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';
import { readPieces, type WorkSlot } from './read-bytes.ts';

const pace = { bytesPerSecond: 1, windowMs: 60_000 };
const freeBytes = 256 * 1024;

function fakeRequest() {
  const stream = new PassThrough({ highWaterMark: 10_000_000 });
  return Object.assign(stream, { headers: {} }) as unknown as IncomingMessage & PassThrough;
}

/** Reads a body of one chunk that takes no turn and one of 64 KiB that does. Lists what happens to the second. */
async function readWithTurns(hasEnded: () => boolean) {
  const steps: string[] = [];
  const turn: WorkSlot = {
    take() {
      steps.push('turn');
      return Promise.resolve();
    },
    hasEnded,
  };
  const allowance = createByteBudget({ maxBytes: 1e9, maxBytesPerCaller: 1e9 }).of([]);
  const request = fakeRequest();
  const second = Buffer.from(Array.from({ length: 64 * 1024 }, (_, index) => index % 251));
  const pushed: Buffer[] = [];
  request.write(Buffer.alloc(freeBytes));
  request.end(second);
  await readPieces(
    request,
    { maxBytes: 1e9, allowance, pace, turn },
    {
      push(piece) {
        if (piece.length === freeBytes) return;
        steps.push('push');
        pushed.push(Buffer.from(piece));
      },
      spent: (chunk) => void (chunk === second && steps.push('spent')),
      heldBytes: () => 0,
      end: () => undefined,
    },
  );
  expect(Buffer.concat(pushed).equals(second)).toBe(true);
  return steps.join(' ');
}

test('a chunk that costs little takes one turn', async () => {
  expect(await readWithTurns(() => false)).toBe('turn push push push push spent');
});

test('what is left of a chunk when its turn has ended takes another one', async () => {
  expect(await readWithTurns(() => true)).toBe('turn push turn push turn push turn push spent');
});
