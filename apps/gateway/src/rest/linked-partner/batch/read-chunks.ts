import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { createChunkCounter, sendContinue } from '@rubrica/process';

export interface ChunkLimits {
  /** Maximum time without a byte, in milliseconds. */
  readonly silenceMs: number;
  /** Ends the reading after the current chunk. */
  readonly stop: AbortSignal;
}

/**
 * Passes a body on in chunks, without a time limit. Reading pauses while a chunk is processed, and that time does not
 * count as silence of the sender. Leaves the connection open, because the answer is still being sent.
 * @returns whether the body was complete; false where the sender disconnected or was silent, or `stop` fired
 */
export function readChunks(
  request: IncomingMessage,
  { silenceMs, stop }: ChunkLimits,
  take: (chunk: Buffer) => Promise<void>,
): Promise<boolean> {
  // Events run in the context of the connection, not in that of the call.
  const inContext = AsyncLocalStorage.snapshot();
  return new Promise((resolve, reject) => {
    let isBusy = false;
    let hasEnded = request.readableEnded;
    const finish = (isComplete: boolean) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onBroken);
      stop.removeEventListener('abort', onStop);
      // Whoever discards the rest resumes. Until then its chunks would pass without being counted.
      request.pause();
      resolve(isComplete);
    };
    const resume = () => {
      isBusy = false;
      if (hasEnded || stop.aborted) return finish(hasEnded);
      timer.refresh();
      request.resume();
    };
    const count = createChunkCounter();
    const onData = (chunk: Buffer) => {
      if (!count(chunk)) return void request.socket.destroy();
      isBusy = true;
      request.pause();
      inContext(take, chunk).then(resume, reject);
    };
    const onEnd = () => {
      hasEnded = true;
      if (!isBusy) finish(true);
    };
    const onStop = () => {
      if (!isBusy) finish(false);
    };
    const onBroken = () => onStop();
    const timer = setTimeout(() => (isBusy ? timer.refresh() : finish(false)), silenceMs);
    timer.unref();
    stop.addEventListener('abort', onStop);
    sendContinue(request);
    request.on('data', onData).on('end', onEnd).on('error', onBroken);
    if (hasEnded || stop.aborted) finish(hasEnded);
  });
}
