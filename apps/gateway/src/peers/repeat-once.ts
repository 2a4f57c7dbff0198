import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toAppError } from '@rubrica/process';

/** The cause of a refusal that answered a repeat: the outcome of the first call is not known. */
class NotAnswered extends Error {
  override readonly name = 'NotAnswered';
}

/** Whether a refusal came only after a first call that may have been carried out. */
export function isAfterRepeat(fault: AppError): boolean {
  return fault.cause instanceof NotAnswered;
}

/** Long enough for a copy that is being replaced to leave its queue group, short enough not to be noticed. */
const pauseMs = 150;

/**
 * Calls once more where no answer came, or not in time. Only for calls that the other service recognises as a repeat:
 * the first may have been carried out.
 *
 * @throws AppError of the second call
 */
export async function repeatOnce<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const fault = toAppError(error);
    if (fault.code !== 'SERVICE_UNAVAILABLE') throw fault;
  }
  await delay(pauseMs * (1 + Math.random()));
  try {
    return await call();
  } catch (error) {
    const fault = toAppError(error);
    throw fault.code === 'SERVICE_UNAVAILABLE'
      ? new AppError({ code: fault.code, cause: fault, retryAfterSeconds: 2 })
      : afterRepeat(fault);
  }
}

function afterRepeat({ code, publicMessage, details }: AppError): AppError {
  return new AppError({
    code,
    publicMessage,
    details,
    cause: new NotAnswered('the first call had no answer'),
  });
}
