import type { CertificateType, Family } from '@rubrica/contracts/shared/enumerations';
import { statement } from '@rubrica/database/statement';
import type { UseCase } from '@rubrica/wiring';
import type { RequestsDeps } from '../../deps.ts';

interface NamedRow {
  readonly requestId: string;
  readonly referenceTransaction: string;
  readonly family: Family;
  readonly certificateType: CertificateType;
  readonly certificateAdvancedDays: number;
}

const selectNamesSql = `select id as "requestId", reference_transaction as "referenceTransaction", family,
  certificate_type as "certificateType", certificate_advanced_days as "certificateAdvancedDays"
from request where partner_id = :partnerId`;

const byIds = statement<{ readonly partnerId: string; readonly ids: readonly string[] }, NamedRow>({
  name: 'name-own-requests',
  sql: `${selectNamesSql} and id = any(:ids::uuid[])`,
});
const byReference = statement<
  { readonly partnerId: string; readonly referenceTransaction: string },
  NamedRow
>({
  name: 'own-request-of-reference',
  sql: `${selectNamesSql} and reference_transaction = :referenceTransaction`,
});

/** Returns the names of requests of the calling partner, for lists of services that know their ids alone. */
export function createNameRequests({
  database,
}: Pick<RequestsDeps, 'database'>): UseCase<'intake', 'requests.name'> {
  return async ({ requestIds, referenceTransaction }, { caller: { partnerId } }) => {
    if (referenceTransaction !== undefined)
      return { items: await byReference.run(database, { partnerId, referenceTransaction }) };
    if (requestIds.length === 0) return { items: [] };
    return { items: await byIds.run(database, { partnerId, ids: requestIds }) };
  };
}
