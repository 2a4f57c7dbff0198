import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { AppError } from '@rubrica/process';
import type { Dependencies } from '../dependencies.ts';
import { PartnerEntity } from './partner.entity.ts';

/** Partners are firms of the country; an applicant's language is a matter of the request, not of the partner. */
const language = 'es';

/**
 * Whom the notifier tells of a partner's matters; also of a partner switched off, whose webhooks still go out.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createPartnerContact({ database }: Pick<Dependencies, 'database'>) {
  return async ({ partnerId }: { partnerId: string }): Promise<intakeContract.PartnerContact> => {
    const partner = await database.fork().findOne(PartnerEntity, { id: partnerId });
    if (!partner) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
    return { partnerId, name: partner.name, email: partner.email, language };
  };
}
