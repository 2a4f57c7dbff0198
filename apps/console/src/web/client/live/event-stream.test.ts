import { expect, test } from 'vitest';
import { type LiveEvent, readEventStream } from './event-stream.ts';

test('events are read whole, wherever the network has divided them', async () => {
  const text = 'retry: 3000\n\nevent: review.changed\ndata: {"requestId":"ñ"}\n\n:\n\n';
  const bytes = new TextEncoder().encode(text);
  const pieces = [bytes.slice(0, 20), bytes.slice(20, 53), bytes.slice(53)];
  const blocks: (LiveEvent | undefined)[] = [];
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(stream) {
      for (const piece of pieces) stream.enqueue(piece);
      stream.close();
    },
  });
  await readEventStream(body, (block) => blocks.push(block));
  expect(blocks).toEqual([undefined, { name: 'review.changed', data: { requestId: 'ñ' } }, undefined]);
});
