import type { Readable } from 'node:stream';
import { fromS3Error } from './s3-faults.ts';

const idleMs = 5_000;

/**
 * Yields the pieces of a body; fails if none arrives for five seconds.
 * @throws EvidenceStoreError
 */
export async function* withIdleTimeout(body: Readable): AsyncGenerator<Uint8Array> {
  const idle = setTimeout(() => body.destroy(new Error('the store went silent')), idleMs);
  try {
    for await (const piece of body) {
      idle.refresh();
      yield piece as Uint8Array;
    }
  } catch (error) {
    throw fromS3Error(error);
  } finally {
    clearTimeout(idle);
    body.destroy();
  }
}
