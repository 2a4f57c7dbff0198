import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { createChunkCounter, sendContinue } from '@rubrica/process';

export interface ChunkLimits {
  /** The longest time without a byte, ms. */
  readonly silenceMs: number;
  /** Ends the reading after the chunk in hand. */
  readonly stop: AbortSignal;
}

/**
 * Hands a body on chunk by chunk, for as long as it takes: reading pauses while one is in hand, and that time is no
 * silence of the sender's. Leaves the connection open, on which the answer is still being sent.
 *
 * @returns whether the body has come to its end; else the sender is gone or silent, or `stop` has fired
 */
export function readChunks(
  request: IncomingMessage,
  { silenceMs, stop }: ChunkLimits,
  take: (chunk: Buffer) => Promise<void>,
): Promise<boolean> {
  // Events come in the context of the connection, not in that of the call.
  const inContext = AsyncLocalStorage.snapshot();
  return new Promise((resolve, reject) => {
    let isBusy = false;
    let hasEnded = request.readableEnded;
    const finish = (isComplete: boolean) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onBroken);
      stop.removeEventListener('abort', onStop);
      resolve(isComplete);
    };
    const goOn = () => {
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
      inContext(take, chunk).then(goOn, reject);
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
