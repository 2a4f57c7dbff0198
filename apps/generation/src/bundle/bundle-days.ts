import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';
import * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import * as retrievalContract from '@rubrica/contracts/services/schemas/retrieval';

type Order = Pick<issuanceContract.IssuanceOrder, 'passwordOrigin' | 'hasWebhook' | 'isRetrieved'>;

export interface BundleDays {
  /** For how many days it is kept at most. */
  readonly bundleRetentionDays: number;
  /** For how many days even if it was delivered; null: a delivery ends it. */
  readonly keepDays: number | null;
  /** For how many a webhook may hand it over; null: there is none. */
  readonly deliverDays: number | null;
}

/** Intake counts the days of a download from when it heard of the certificate, which is later. */
const subscriberDays = retentionContract.claimDownloadDays + 1;

function keepDaysOf({ passwordOrigin, isRetrieved }: Order): number | null {
  if (passwordOrigin === 'HOLDER') return subscriberDays;
  return isRetrieved ? retrievalContract.retrievalDays : null;
}

/**
 * An applicant who chose the password downloads the file from the claim page; a partner may retrieve it where the family
 * allows that. Without either, the bundle is kept for the webhook alone.
 */
export function bundleDays(order: Order, longestDays: number): BundleDays {
  const keepDays = keepDaysOf(order);
  const deliverDays = order.hasWebhook ? longestDays : null;
  if (keepDays === null) return { bundleRetentionDays: longestDays, keepDays, deliverDays };
  return { bundleRetentionDays: Math.max(keepDays, deliverDays ?? 0), keepDays, deliverDays };
}
