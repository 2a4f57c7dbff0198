import { RubricaError, withUnknownOutcome } from '../errors.ts';
import { type Backoff, waitBefore } from './backoff.ts';
import type { Answer } from './exchange.ts';

export interface RepeatDeps {
  readonly backoff: Backoff;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

export interface RepeatOptions {
  /** The call may be repeated after an attempt that may have been carried out. */
  readonly afterUnknown: boolean;
  readonly signal?: AbortSignal | undefined;
}

export type Outcome =
  | { readonly answer: Answer }
  /** `mayBeDone`: an attempt before the failed one may have been carried out. */
  | { readonly failure: RubricaError; readonly mayBeDone: boolean };

/** Makes a call as often as needed and permitted. */
export async function repeat(
  attempt: () => Promise<Answer>,
  { afterUnknown, signal }: RepeatOptions,
  { backoff, pause, random }: RepeatDeps,
): Promise<Outcome> {
  let mayBeDone = false;
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await tryAttempt(attempt);
    if (!('failure' in outcome)) return outcome;
    const { failure } = outcome;
    const waitMs = waitBefore(failure, { attempts, backoff, random });
    if (waitMs === undefined || (failure.outcomeUnknown && !afterUnknown)) {
      return { failure: mayBeDone ? withUnknownOutcome(failure) : failure, mayBeDone };
    }
    mayBeDone ||= failure.outcomeUnknown;
    await pause(waitMs, signal);
  }
}

async function tryAttempt(attempt: () => Promise<Answer>): Promise<Outcome> {
  try {
    return { answer: await attempt() };
  } catch (error) {
    if (error instanceof RubricaError) return { failure: error, mayBeDone: false };
    throw error;
  }
}
