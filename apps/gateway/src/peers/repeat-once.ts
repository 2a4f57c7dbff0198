import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toAppError } from '@rubrica/service';

/** Long enough for a copy that is being replaced to leave its queue group, short enough not to be noticed. */
const pauseMs = 150;

/**
 * Calls once more where nobody answered or not in time. Only for calls that the other side recognises as a
 * repeat: the first may have been carried out.
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
      : fault;
  }
}
