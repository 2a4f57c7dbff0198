import { sandboxPeople as people } from '@rubrica/contracts/rest/sandbox-people';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';

/**
 * Decides whether an attempt must fail on purpose.
 * @param earlierFailures attempts of the same request that failed before, as the database counts them
 */
export type GenerationFaults = (attempt: Attempt) => ErrorCode | undefined;

interface Attempt {
  readonly identificationNumber: string;
  readonly earlierFailures: number;
}

/** Injects no faults; used outside the sandbox. */
export const noFaults: GenerationFaults = () => undefined;

/** Number of failing attempts, by identification number of the applicant. */
const failures: Readonly<Record<string, number>> = {
  [people.generationFails]: Number.POSITIVE_INFINITY,
  [people.generationFailsOnce]: 1,
  [people.generationFailsTwice]: 2,
  [people.generationFailsThreeTimes]: 3,
};

/** Injects the faults of the sandbox's applicants; all others get a certificate. */
export function sandboxFaults({ identificationNumber, earlierFailures }: Attempt): ErrorCode | undefined {
  return Object.hasOwn(failures, identificationNumber) &&
    earlierFailures < (failures[identificationNumber] ?? 0)
    ? 'KEY_GENERATION_FAILED'
    : undefined;
}
