import { type ByteBudget, createByteBudget } from '@rubrica/process';
import type { GatewayConfig } from '../config.ts';

/** What a kind of call may hold, so that slow bodies of one kind cost no other kind its room. */
export interface Budgets {
  /** Of callers who are known, and of files that are shown; half of it is the most of one. */
  readonly large: ByteBudget;
  readonly claims: ByteBudget;
  readonly signIn: ByteBudget;
  readonly token: ByteBudget;
  readonly ocsp: ByteBudget;
}

const publicParts = 16;

export function createBudgets({ bufferedBytes, publicBytes }: GatewayConfig['limits']): Budgets {
  const open = () =>
    createByteBudget({
      maxBytes: publicBytes,
      maxBytesPerCaller: Math.floor(publicBytes / publicParts),
      endsOldest: true,
    });
  return {
    large: createByteBudget({ maxBytes: bufferedBytes, maxBytesPerCaller: Math.floor(bufferedBytes / 2) }),
    claims: open(),
    signIn: open(),
    token: open(),
    ocsp: open(),
  };
}
