import { TRPCClientError } from '@trpc/client';
import type { OperatorErrorData, OperatorRouter } from './router.ts';

/** Why a call failed. */
export interface OperatorFault {
  /** In plain words, for people. */
  readonly message: string;
  /** Absent where nothing was answered: the gateway was not reached. */
  readonly data?: OperatorErrorData;
}

/** What a failed call says; undefined of errors that are not of a call. */
export function faultOf(error: unknown): OperatorFault | undefined {
  if (!(error instanceof TRPCClientError)) return undefined;
  const { message, data } = error as TRPCClientError<OperatorRouter>;
  return { message, ...(data && { data }) };
}
