import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process';
import type { Dependencies } from '../dependencies.ts';
import { kindOf } from '../request/family-plans.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import { fault } from './rules.ts';

const field = 'termsAndConditionsId';

function outdated(code: 'NO_ACTIVE_TERMS' | 'TERMS_OUTDATED') {
  return {
    unmet: [fault(code, field, errorCatalogue[code].en)],
    inserts: [],
  };
}

/**
 * Whether what was accepted is what is in force (412), and what proves it: which version, when, and from where the
 * partner called.
 * @throws AppError SERVICE_UNAVAILABLE while nobody says which terms are in force
 */
export async function acceptTerms(
  { requestId, family, fields, acceptance }: intakeContract.RegisterInput,
  { activeTerms, clock }: Pick<Dependencies, 'activeTerms' | 'clock'>,
): Promise<{ unmet: readonly ErrorDetail[]; inserts: DependentInsert[] }> {
  // The acceptance is the gateway's to say; without one there would be nothing to prove.
  if (acceptance === undefined) throw new AppError({ code: 'TERMS_NOT_ACCEPTED' });
  const active = await activeTerms(kindOf(family, fields).certificateType);
  if (active === null) return outdated('NO_ACTIVE_TERMS');
  if (active.id !== fields[field]) return outdated('TERMS_OUTDATED');
  const row = {
    request_id: requestId,
    terms_id: active.id,
    terms_version: active.version,
    at: clock(),
    language: acceptance.language,
    remote_address: acceptance.remoteAddress,
    user_agent: acceptance.userAgent,
  };
  return { unmet: [], inserts: [{ table: 'terms_acceptance', rows: [row] }] };
}
