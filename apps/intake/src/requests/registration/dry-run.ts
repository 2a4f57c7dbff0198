import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { UseCase } from '@rubrica/wiring';
import type { RequestsDeps } from '../deps.ts';
import { determineKind } from '../request/family-plans.ts';
import { quotaExceeded } from '../request/quota/quota-refusal.ts';
import { readQuotaLeft } from '../request/quota/quota-statements.ts';
import { type ExamineDeps, examineRegistration, isReferenceTaken } from './examine-registration.ts';
import { createRepeatError } from './refuse-repeat.ts';

/**
 * Answers as a registration would; nothing is stored.
 * @throws AppError the error with which the registration would be refused
 */
export function createDryRun(
  deps: ExamineDeps & Pick<RequestsDeps, 'partners'>,
): UseCase<'intake', 'requests.dryRun'> {
  return async (input, { caller: { partnerId } }) => {
    const partner = await deps.partners.get(partnerId);
    const now = deps.clock();
    const examined = await examineRegistration(input, { partner, now }, deps);
    // A registration learns this from its insert.
    if (examined.isRepeat || (await isReferenceTaken(deps, { input, partnerId })))
      throw await createRepeatError(deps, { input, partnerId });
    await refuseWithoutQuota(deps, { input, partnerId, now });
    return { warnings: [...examined.warnings] };
  };
}

interface QuotaQuery {
  readonly input: Pick<requestsContract.RegisterInput, 'family' | 'fields'>;
  readonly partnerId: string;
  readonly now: Date;
}

/**
 * Refuses a dry run without quota left; a registration learns it from its insert.
 * @throws AppError QUOTA_EXCEEDED
 */
export async function refuseWithoutQuota(
  { database, timeZone }: Pick<RequestsDeps, 'database' | 'timeZone'>,
  { input, partnerId, now }: QuotaQuery,
): Promise<void> {
  const { certificateType } = determineKind(input.family, input.fields);
  const [row] = await readQuotaLeft.run(database, { partnerId, certificateType, now, timeZone });
  if (row?.quota?.remaining === 0) throw quotaExceeded(row.quota, { certificateType, now });
}
