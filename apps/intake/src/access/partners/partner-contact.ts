import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { PartnerEntity } from './partner.entity.ts';

/**
 * Language of e-mails to partners, which are firms of the country. An applicant's language belongs to the
 * request, not to the partner.
 */
const language = 'es';

type PartnerContact = UseCase<'intake', 'partners.contact'>;

/**
 * Returns the address to which the notifier writes for a partner, even a disabled one, whose webhooks still
 * go out.
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
