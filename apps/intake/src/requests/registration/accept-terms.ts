import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError, errorDetail } from '@rubrica/process';
import type { RequestsDeps } from '../deps.ts';
import { determineKind } from '../request/family-plans.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import { findActiveTerms, toAcceptanceInsert } from '../request/terms-acceptance.ts';

const field = 'termsAndConditionsId';

function outdated(code: 'NO_ACTIVE_TERMS' | 'TERMS_OUTDATED') {
  return {
    unmet: [errorDetail(code, field)],
    inserts: [],
  };
}

/**
 * Checks that the accepted terms are in force (412), and returns the proof of acceptance: which version,
 * when, and from where the partner called.
 * @throws AppError SERVICE_UNAVAILABLE while the terms in force are unknown
 */
export async function checkAcceptedTerms(
  { requestId, family, fields, acceptance }: requestsContract.RegisterInput,
  deps: Pick<RequestsDeps, 'peers' | 'clock'>,
): Promise<{ unmet: readonly ErrorDetail[]; inserts: DependentInsert[] }> {
  // The gateway states the acceptance; without one there would be nothing to prove.
  if (acceptance === undefined) throw new AppError({ code: 'TERMS_NOT_ACCEPTED' });
  const active = await findActiveTerms(deps.peers, determineKind(family, fields).certificateType);
  if (active === null) return outdated('NO_ACTIVE_TERMS');
  if (active.id !== fields[field]) return outdated('TERMS_OUTDATED');
  const { clock } = deps;
  return { unmet: [], inserts: [toAcceptanceInsert(requestId, active, { ...acceptance, at: clock() })] };
}
