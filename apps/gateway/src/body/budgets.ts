import { type ByteBudget, createByteBudget } from '@rubrica/process/bodies';
import type { GatewayConfig } from '../config.ts';

/** Memory budgets by kind of call, so that slow bodies of one kind take no memory of another. */
export interface Budgets {
  /** Budget for authenticated callers and for displayed files; one caller may use half of it. */
  readonly large: ByteBudget;
  readonly claims: ByteBudget;
  readonly signIn: ByteBudget;
  readonly token: ByteBudget;
  readonly ocsp: ByteBudget;
}

const publicShares = 16;

export function createBudgets({ bufferedBytes, publicBytes }: GatewayConfig['limits']): Budgets {
  const createPublicBudget = () =>
    createByteBudget({
      maxBytes: publicBytes,
      maxBytesPerCaller: Math.floor(publicBytes / publicShares),
      endsOldest: true,
    });
  return {
    large: createByteBudget({ maxBytes: bufferedBytes, maxBytesPerCaller: Math.floor(bufferedBytes / 2) }),
    claims: createPublicBudget(),
    signIn: createPublicBudget(),
    token: createPublicBudget(),
    ocsp: createPublicBudget(),
  };
}
