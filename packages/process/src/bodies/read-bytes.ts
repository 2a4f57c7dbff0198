import type { IncomingMessage } from 'node:http';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '../errors/app-error.ts';
import type { Allowance } from './byte-budget.ts';
import { sendContinue } from './expect-continue.ts';
import { type Pace, watchPace } from './pace.ts';
import { createChunkCounter, minChunkBytes } from './small-chunks.ts';

export interface ReadLimits {
  readonly maxBytes: number;
  /** The caller's part of the memory for bodies. */
  readonly allowance: Allowance;
  readonly pace: Pace;
  /** Slot for pieces that take so much work that other calls should run in between. */
  readonly turn?: WorkSlot;
}

export interface WorkSlot {
  /** @returns promise to wait for; undefined if the work may start immediately */
  take(): Promise<void> | undefined;
  /** Tells whether the slot has lasted so long that the remaining work should wait for another one. */
  hasEnded(): boolean;
}

/**
 * Reads a whole body and passes it to `use`, whose end frees its memory in the allowance.
 *
 * @throws AppError as {@link readPieces}
 */
export async function withBytes<Result>(
  request: IncomingMessage,
  limits: ReadLimits,
  use: (bytes: Buffer) => Result,
): Promise<Awaited<Result>> {
  const chunks: Buffer[] = [];
  let size = 0;
  return readPieces(request, limits, {
    push(chunk) {
      chunks.push(chunk);
      size += chunk.length;
    },
    heldBytes: () => size,
    end: () => use(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
  });
}

/** Consumer of a body in the pieces in which it arrives. */
export interface PieceTaker<Result> {
  /** Takes a piece. A throw ends the reading. */
  push(chunk: Buffer): void;
  /** Called with a pushed piece that is not read again, whose memory may be freed. */
  spent?(chunk: Buffer): void;
  /** Bytes that the consumer holds now. */
  heldBytes(): number;
  /**
   * Returns a promise to wait for before more is read; undefined while the consumer keeps up. A failure ends the
   * reading.
   */
  pause?(): Promise<void> | undefined;
  end(): Result;
}

/** Smaller pieces cost no more than any other call, and need no slot. Larger ones are pushed in slices of this size. */
const maxEasyBytes = 16 * 1024;
/** Bytes of a body that need no slot: most registrations completely, which must not wait behind the large ones. */
const turnFreeBytes = 256 * 1024;

/**
 * Passes a body on while it arrives, no faster than the consumer accepts it: reading pauses meanwhile. Bytes in memory
 * count in the allowance until `end` has finished. Stops at the first byte beyond the limit, or before the first if the
 * announced length exceeds it; the rest is not read here.
 *
 * @throws AppError BODY_TOO_LARGE, RATE_LIMITED or SERVICE_UNAVAILABLE (no memory), BODY_MALFORMED (the client aborted,
 * is too slow, or sends many small chunks), and errors of the consumer
 */
export async function readPieces<Result>(
  request: IncomingMessage,
  { maxBytes, allowance, pace, turn }: ReadLimits,
  taker: PieceTaker<Result>,
): Promise<Awaited<Result>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  let size = 0;
  let held = 0;
  let isOver = false;
  const hold = (bytes: number) => {
    if (bytes > held) allowance.take(bytes - held);
    if (bytes < held) allowance.give(held - bytes);
    held = bytes;
  };
  /**
   * Pushes as many slices as fit in one slot.
   * @returns the rest of the chunk
   */
  const pushSlices = (chunk: Buffer, turn: WorkSlot): Buffer => {
    let rest = chunk;
    do {
      taker.push(rest.subarray(0, maxEasyBytes));
      rest = rest.subarray(maxEasyBytes);
    } while (rest.length > 0 && !turn.hasEnded());
    hold(taker.heldBytes());
    return rest;
  };
  const takeInTurns = async (chunk: Buffer, turn: WorkSlot) => {
    for (let rest = chunk; rest.length > 0; rest = pushSlices(rest, turn)) {
      await turn.take();
      // The client may have disconnected while its piece waited for a slot.
      if (isOver) return;
    }
    taker.spent?.(chunk);
    await taker.pause?.();
  };
  const take = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    if (turn !== undefined && size > turnFreeBytes && chunk.length > maxEasyBytes)
      return takeInTurns(chunk, turn);
    taker.push(chunk);
    taker.spent?.(chunk);
    hold(taker.heldBytes());
    return taker.pause?.();
  };
  const leave = () => {
    isOver = true;
    hold(0);
  };
  const letEnd = (fail: (reason: AppError) => void) =>
    allowance.endWith((reason) => {
      leave();
      fail(reason);
    });
  try {
    await eachChunk(request, { pace, letEnd }, take);
    return await taker.end();
  } finally {
    leave();
  }
}

type Take = (chunk: Buffer) => Promise<void> | undefined;

interface Arrival {
  readonly pace: Pace;
  /** Lets the budget end the reading, until the returned function is called. */
  readonly letEnd: (fail: (reason: AppError) => void) => () => void;
}

/**
 * Calls `take` for each chunk. A for-await loop would not do: its early end would destroy the connection, on which the
 * answer is still to be sent.
 */
function eachChunk(request: IncomingMessage, { pace, letEnd }: Arrival, take: Take): Promise<void> {
  return new Promise((resolve, reject) => {
    const watch = watchPace(pace, () => (waiting === undefined ? fail(tooSlow(pace)) : watch.excuse()));
    const stop = () => {
      watch.stop();
      mayNotEnd();
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    const fail = (error: unknown) => {
      stop();
      reject(error as Error);
    };
    const mayNotEnd = letEnd(fail);
    /** The stream may end while its last piece still waits: a pause holds back data only. */
    let waiting: Promise<void> | undefined;
    const count = createChunkCounter();
    const onData = (chunk: Buffer) => {
      watch.arrived(chunk.length);
      if (!count(chunk)) return fail(chunksTooSmall());
      try {
        const wait = take(chunk);
        if (wait === undefined) return;
        request.pause();
        watch.excuse();
        waiting = wait.then(() => {
          waiting = undefined;
          request.resume();
        });
        waiting.catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = () => {
      stop();
      if (waiting === undefined) resolve();
      else waiting.then(resolve, reject);
    };
    const onBroken = () => fail(bodyAborted());
    sendContinue(request);
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError({
    code: 'BODY_TOO_LARGE',
    text: createText('call.bodyTooLarge', {
      count: maxBytes,
    }),
  });
}

function tooSlow({ bytesPerSecond }: Pace): AppError {
  return new AppError({
    code: 'BODY_MALFORMED',
    text: createText('call.bodyTooSlow', {
      count: bytesPerSecond,
    }),
  });
}

function chunksTooSmall(): AppError {
  return new AppError({
    code: 'BODY_MALFORMED',
    text: createText('call.chunksTooSmall', {
      count: minChunkBytes,
    }),
  });
}

function bodyAborted(): AppError {
  return new AppError({
    code: 'BODY_MALFORMED',
    text: createText('call.bodyIncomplete'),
  });
}
