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
 * Reads a body and hands it to `use`, whose end frees its place in the budget. Stops at the first byte beyond
 * the limit, or before the first where the length was announced; the rest is left to whoever answers.
 *
 * @throws AppError BODY_TOO_LARGE, SERVICE_UNAVAILABLE (no room), BODY_MALFORMED (the client broke off)
 */
export async function withBytes<Result>(
  request: IncomingMessage,
  limits: ReadLimits,
  use: (bytes: Buffer) => Result,
): Promise<Awaited<Result>> {
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes);
  const taken = { bytes: 0 };
  try {
    return await use(await readBytes(request, limits, taken));
  } finally {
    limits.budget.give(taken.bytes);
  }
}

function readBytes(request: IncomingMessage, limits: ReadLimits, taken: { bytes: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (error?: AppError) => {
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      if (error !== undefined) reject(error);
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.maxBytes) return stop(tooLarge(limits.maxBytes));
      if (!limits.budget.take(chunk.length)) return stop(noRoom());
      taken.bytes += chunk.length;
      chunks.push(chunk);
    };
    const onEnd = () => stop();
    const onBroken = () => stop(brokenOff());
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
