import { type ByteBudget, createByteBudget, type Pace, withBytes } from '@rubrica/process/bodies';
import { listNetworks } from '@rubrica/process/networks';
import type { FastifyRequest } from 'fastify';
import type { Session } from './session/sealed-session.ts';

/** Reads bodies into memory, within a budget that is freed when the gateway has answered. */
export interface BodyReader {
  /**
   * Reads the body of an allowed call, and frees its memory when `use` has ended.
   * @throws AppError BODY_TOO_LARGE, BODY_MALFORMED, RATE_LIMITED (the caller's share is used), SERVICE_UNAVAILABLE (no
   * memory)
   */
  read<Result>(
    request: FastifyRequest,
    session: Session | undefined,
    use: (body: Buffer) => Result,
  ): Promise<Awaited<Result>>;
}

interface BodyLimits {
  /** Maximum body size, in bytes; the same as the gateway's. */
  readonly maxBytes: number;
  readonly budget: ByteBudget;
}

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** Defaults of the gateway. */
const pace: Pace = { bytesPerSecond: 8 * KIBIBYTE, windowMs: 10_000 };

export function createBodyReader(): BodyReader {
  const operators: BodyLimits = {
    maxBytes: MEBIBYTE,
    budget: createByteBudget({ maxBytes: 32 * MEBIBYTE, maxBytesPerCaller: 8 * MEBIBYTE }),
  };
  const strangers: BodyLimits = {
    maxBytes: 16 * KIBIBYTE,
    budget: createByteBudget({
      maxBytes: 4 * MEBIBYTE,
      maxBytesPerCaller: 256 * KIBIBYTE,
      endsOldest: true,
    }),
  };
  return {
    read(request, session, use) {
      const { maxBytes, budget } = session === undefined ? strangers : operators;
      const key = session?.email ?? '';
      const allowance = budget.of(key === '' ? listNetworks(request.ip) : [{ key, share: 1 }]);
      return withBytes(request.raw, { maxBytes, allowance, pace }, use);
    },
  };
}
