import type { IncomingMessage } from 'node:http';
import { AppError } from '@rubrica/service';

/** What all bodies in memory may come to together: beyond it one more would risk the process. */
export interface ByteBudget {
  /** False when there is no room left. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createByteBudget(maxBytes: number): ByteBudget {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > maxBytes) return false;
      taken += bytes;
      return true;
    },
    give(bytes) {
      taken -= bytes;
    },
  };
}

export interface ReadLimits {
  readonly maxBytes: number;
  readonly budget: ByteBudget;
}

/**
 * Reads a whole body and hands it to `use`, whose end frees its place in the budget.
 *
 * @throws AppError as {@link readPieces}
 */
export async function withBytes<Result>(
  request: IncomingMessage,
  limits: ReadLimits,
  use: (bytes: Buffer) => Result,
): Promise<Awaited<Result>> {
  const chunks: Buffer[] = [];
  return readPieces(request, limits, {
    push(chunk) {
      chunks.push(chunk);
      return chunk.length;
    },
    end: () => use(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
  });
}

/** Takes a body in the pieces in which it arrives. */
export interface PieceTaker<Result> {
  /** @returns how many bytes more it holds on to. A throw ends the reading. */
  push(chunk: Buffer): number;
  end(): Result;
}

/**
 * Hands a body on while it arrives; what is held on to is in the budget until `end` has come to its own end. Stops
 * at the first byte beyond the limit, or before the first where the length was announced; the rest is left to whoever
 * answers.
 *
 * @throws AppError BODY_TOO_LARGE, SERVICE_UNAVAILABLE (no room), BODY_MALFORMED (the client broke off), and what the
 *   taker throws
 */
export async function readPieces<Result>(
  request: IncomingMessage,
  { maxBytes, budget }: ReadLimits,
  taker: PieceTaker<Result>,
): Promise<Awaited<Result>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  let size = 0;
  let held = 0;
  const take = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    const more = taker.push(chunk);
    if (more > 0 && !budget.take(more)) throw noRoom();
    held += more;
  };
  try {
    await eachChunk(request, take);
    return await taker.end();
  } finally {
    budget.give(held);
  }
}

/** Not by iterating: an early end would destroy the connection, on which the answer is still to be sent. */
function eachChunk(request: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () =>
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    const onData = (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        stop();
        reject(error as Error);
      }
    };
    const onEnd = () => {
      stop();
      resolve();
    };
    const onBroken = () => {
      stop();
      reject(brokenOff());
    };
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError({
    code: 'BODY_TOO_LARGE',
    publicMessage: `The body is larger than allowed; at most ${maxBytes} bytes are taken here`,
  });
}

function noRoom(): AppError {
  return new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
}

function brokenOff(): AppError {
  return new AppError({ code: 'BODY_MALFORMED', publicMessage: 'The body ended before it was complete' });
}
