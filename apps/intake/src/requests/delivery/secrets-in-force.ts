import type { RowGuard } from '@rubrica/database';
import { AppError } from '@rubrica/process';

/**
 * Maximum number of secrets that sign a body. While a secret or key is being replaced there are two of it.
 */
const maxSecrets = 5;
/** Maximum number of rows that are read. Rows that this service has not written do not count as secrets. */
const maxRowsRead = 100;

/** Secrets as SQL returns them. */
export type StoredSecrets = readonly { readonly sealed: string }[];

/**
 * Returns SQL for the rows of a partner's secrets at a time. Rows without an end come first, so that quick
 * rotations of one kind never displace the current secret of the other kind.
 * @param partnerId SQL expression, as is `at`; never input
 */
export function secretsInForceSql(partnerId: string, at: string): string {
  return `(select coalesce(jsonb_agg(to_jsonb(in_force)), '[]') from (
    select * from webhook_secret
    where webhook_secret.partner_id = ${partnerId} and (expires_at is null or expires_at > ${at})
    order by expires_at is not null, webhook_secret.created_at desc limit ${maxRowsRead}
  ) as in_force)`;
}

/**
 * Selects the secrets to sign with: those that this service has issued to the partner.
 * @throws AppError SERVICE_UNAVAILABLE if none is left, so that the body waits until one is restored
 */
export function selectSealedSecrets(stored: StoredSecrets, rows: Pick<RowGuard, 'isIntact'>): string[] {
  const intact = stored.filter((secret) => rows.isIntact('webhook_secret', secret));
  if (intact.length === 0) throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
  return intact.slice(0, maxSecrets).map(({ sealed }) => sealed);
}
