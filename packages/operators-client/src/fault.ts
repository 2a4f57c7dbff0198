import { TRPCClientError } from '@trpc/client';
import type { OperatorErrorData, OperatorRouter } from './router.ts';

/** Reason why a call failed. */
export interface OperatorFault {
  /** Description for people. */
  readonly message: string;
  /** Undefined if there was no answer: the gateway was not reached. */
  readonly data?: OperatorErrorData;
}

/** Reads the fault of a failed call; undefined for errors that are not of a call. */
export function readFault(error: unknown): OperatorFault | undefined {
  if (!(error instanceof TRPCClientError)) return undefined;
  const { message, data } = error as TRPCClientError<OperatorRouter>;
  return { message, ...(data && { data }) };
}
