import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { kindOf } from '../request/family-plans.ts';
import { quotaExceeded } from '../request/quota/quota-refusal.ts';
import { readQuotaLeft } from '../request/quota/quota-statements.ts';
import { duplicated, type ExamineNeeds, examineRegistration, isKnown } from './examine-registration.ts';

/**
 * What a registration would be answered; nothing is stored.
 * @throws AppError what the registration would be refused with
 */
export function createDryRun(
  deps: ExamineNeeds & Pick<IntakeDeps, 'partners'>,
): UseCase<'intake', 'requests.dryRun'> {
  return async (input, { caller: { partnerId } }) => {
    const partner = await deps.partners.get(partnerId);
    const now = deps.clock();
    const examined = await examineRegistration(input, { partner, now }, deps);
    // A registration learns this from its insert.
    if (examined.isRepeat || (await isKnown(deps, { input, partnerId }))) throw duplicated(input);
    const { certificateType } = kindOf(input.family, input.fields);
    const asked = { partnerId, certificateType, now, timeZone: deps.timeZone };
    const [row] = await readQuotaLeft.run(deps.database, asked);
    if (row?.quota?.remaining === 0) throw quotaExceeded(row.quota, { certificateType, now });
    return { warnings: [...examined.warnings] };
  };
}
