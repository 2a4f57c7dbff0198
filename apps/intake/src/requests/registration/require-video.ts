import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { errorDetail, formatLocalDate } from '@rubrica/process';
import { registrationAttempt } from '../../outside/registry/registry.ts';
import type { RequestsDeps } from '../deps.ts';
import { computeAge } from '../request/compute-age.ts';
import { familyPlans } from '../request/family-plans.ts';

/** Longest wait of the registration for the registry: validation asks it again. */
const timeoutMs = 2_000;

/**
 * Requires the video (specification 2.3, rule 3), if the identity registry returns the age in time.
 * Everything else it returns is for validation to judge.
 */
export async function requireVideo(
  { family, requestId, fields, files }: requestsContract.RegisterInput,
  { registries, clock, timeZone }: Pick<RequestsDeps, 'registries' | 'clock' | 'timeZone'>,
): Promise<readonly ErrorDetail[]> {
  const { videoFromAge } = familyPlans[family];
  if (videoFromAge === null || files.some(({ field }) => field === 'authorizationVideo')) return [];
  const answer = await registries.lookUpPerson({
    requestId,
    attempt: registrationAttempt,
    identificationNumber: String(fields.identificationNumber),
    fingerCode: typeof fields.fingerCode === 'string' ? fields.fingerCode : null,
    names: null,
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (answer.outcome !== 'found') return [];
  if (computeAge(answer.person.birthDate, formatLocalDate(clock(), timeZone)) < videoFromAge) return [];
  const code = 'AUTHORIZATION_VIDEO_REQUIRED';
  return [errorDetail(code, 'authorizationVideo')];
}
