import { type intakeContract, retentionContract } from '@rubrica/contracts';

type Order = Pick<intakeContract.IssuanceOrder, 'passwordOrigin' | 'hasWebhook'>;

/** Intake counts a holder's days from when it heard of the certificate, which is later. */
const holderDays = retentionContract.holderDownloadDays + 1;

/**
 * For how many days a bundle is kept at most, and for how many though it was delivered: a holder who chose the
 * password fetches the file from the claim's page, and where nobody else does, nobody needs it longer.
 */
export function bundleDays(
  { passwordOrigin, hasWebhook }: Order,
  longestDays: number,
): { bundleRetentionDays: number; holderDays: number | null } {
  if (passwordOrigin !== 'HOLDER') return { bundleRetentionDays: longestDays, holderDays: null };
  return { bundleRetentionDays: hasWebhook ? Math.max(longestDays, holderDays) : holderDays, holderDays };
}
