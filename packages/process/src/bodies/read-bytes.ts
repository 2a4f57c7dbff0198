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
  /** Given where taking a piece is so much work that other calls should run in between. */
  readonly turn?: Turn;
}

export interface Turn {
  /** @returns what to wait for; undefined where the work may be done at once */
  take(): Promise<void> | undefined;
  /** Tells whether the turn has lasted so long that what is left of the work should wait for another one. */
  hasEnded(): boolean;
}

/**
 * Reads a whole body and hands it to `use`, whose end frees its place in the allowance.
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

/** Takes a body in the pieces in which it arrives. */
export interface PieceTaker<Result> {
  /** A throw ends the reading. */
  push(chunk: Buffer): void;
  /** Called with a pushed piece that is not read again, whose memory may be freed. */
  spent?(chunk: Buffer): void;
  /** What it holds on to now, bytes. */
  heldBytes(): number;
  /** What to wait for before more is read; undefined while it keeps up. A failure ends the reading. */
  pause?(): Promise<void> | undefined;
  end(): Result;
}

/** Smaller pieces cost no more than any other call, and take no turn. Larger ones are pushed in slices of it. */
const maxEasyBytes = 16 * 1024;
/** Nor does what a body brings up to here: most registrations as a whole, which are not to wait behind the large ones. */
const turnFreeBytes = 256 * 1024;

/**
 * Hands a body on while it arrives, no faster than the taker can take it: reading pauses meanwhile. What is in memory
 * counts in the allowance until `end` has finished. Stops at the first byte beyond the limit, or before the first where
 * the length was announced; the rest is not read here.
 *
 * @throws AppError BODY_TOO_LARGE, RATE_LIMITED or SERVICE_UNAVAILABLE (no room), BODY_MALFORMED (the client broke
 *   off, is too slow, or sends many small chunks), and what the taker throws
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
  /** Pushes as many slices as one turn reaches. @returns what is left of the chunk */
  const pushSlices = (chunk: Buffer, turn: Turn): Buffer => {
    let left = chunk;
    do {
      taker.push(left.subarray(0, maxEasyBytes));
      left = left.subarray(maxEasyBytes);
    } while (left.length > 0 && !turn.hasEnded());
    hold(taker.heldBytes());
    return left;
  };
  const takeInTurns = async (chunk: Buffer, turn: Turn) => {
    for (let left = chunk; left.length > 0; left = pushSlices(left, turn)) {
      await turn.take();
      // The client may have gone while its piece waited for a turn.
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
  /** Lets the budget end the reading; until what it returns is called. */
  readonly letEnd: (fail: (reason: AppError) => void) => () => void;
}

/** Not a for-await loop: its early end would destroy the connection, on which the answer is still to be sent. */
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
    const onBroken = () => fail(brokenOff());
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

function brokenOff(): AppError {
  return new AppError({
    code: 'BODY_MALFORMED',
    text: createText('call.bodyIncomplete'),
  });
}
