import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';
import * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import * as retrievalContract from '@rubrica/contracts/services/schemas/retrieval';

type Order = Pick<issuanceContract.IssuanceOrder, 'passwordOrigin' | 'hasWebhook' | 'isRetrieved'>;

export interface BundleDays {
  /** Maximum retention, in days. */
  readonly bundleRetentionDays: number;
  /** Retention that a delivery does not shorten, in days; null where a delivery ends it. */
  readonly keepDays: number | null;
  /** Period in which a webhook may deliver it, in days; null without a webhook. */
  readonly deliverDays: number | null;
}

/** One day longer: intake counts the days of a download from when it learns of the certificate, which is later. */
const subscriberDays = retentionContract.claimDownloadDays + 1;

function resolveKeepDays({ passwordOrigin, isRetrieved }: Order): number | null {
  if (passwordOrigin === 'HOLDER') return subscriberDays;
  return isRetrieved ? retrievalContract.retrievalDays : null;
}

/**
 * Computes the retention of a bundle. An applicant who chose the password downloads the file from the claim page; a
 * partner may retrieve it where the family allows that. Otherwise, the bundle is kept for the webhook alone.
 */
export function bundleDays(order: Order, longestDays: number): BundleDays {
  const keepDays = resolveKeepDays(order);
  const deliverDays = order.hasWebhook ? longestDays : null;
  if (keepDays === null) return { bundleRetentionDays: longestDays, keepDays, deliverDays };
  return { bundleRetentionDays: Math.max(keepDays, deliverDays ?? 0), keepDays, deliverDays };
}
