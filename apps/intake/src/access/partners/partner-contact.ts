import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { PartnerEntity } from './partner.entity.ts';

/** Partners are firms of the country; an applicant's language is a matter of the request, not of the partner. */
const language = 'es';

type PartnerContact = UseCase<'intake', 'partners.contact'>;

/**
 * Where the notifier writes to a partner; also to one that was switched off, whose webhooks still go out.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createPartnerContact({
  database,
  rows,
}: Pick<AccessDeps, 'database' | 'rows'>): PartnerContact {
  return async ({ partnerId }) => {
    const partner = await rows.forShowing(database.fork()).findOne(PartnerEntity, { id: partnerId });
    if (!partner) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
    return { partnerId, name: partner.name, email: partner.email, language };
  };
}
