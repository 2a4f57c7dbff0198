import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
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
    const examined = await examineRegistration(input, { partner, now: deps.clock() }, deps);
    // A registration learns this from its insert.
    if (examined.isRepeat || (await isKnown(deps, { input, partnerId }))) throw duplicated(input);
    return { warnings: [...examined.warnings] };
  };
}
