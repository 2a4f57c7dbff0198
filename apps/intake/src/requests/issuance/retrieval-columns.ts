import * as retrievalContract from '@rubrica/contracts/services/schemas/retrieval';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import { familyPlans } from '../request/family-plans.ts';
import type { Row } from '../request/one-statement.ts';

/**
 * Returns the column with the end of the partner's retrieval period: days from issuance, which is when the
 * certificate begins.
 */
export function retrievalColumns(family: Family, { notBefore }: { readonly notBefore: string }): Row {
  if (!familyPlans[family].isRetrieved) return {};
  const endsAt = new Date(notBefore).getTime() + retrievalContract.retrievalDays * DAY_MS;
  return { retrieval_until: new Date(endsAt) };
}
