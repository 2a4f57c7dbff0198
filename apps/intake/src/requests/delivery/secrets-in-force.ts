import type { RowGuard } from '@rubrica/database';
import { AppError } from '@rubrica/process';

/** While a secret or key is being replaced there are two of it; a body is signed with all of them. */
const mostSecrets = 5;
/** Rows that are read: those that this service has not written count for nothing. */
const mostRead = 100;

/** As SQL reads them. */
export type StoredSecrets = readonly { readonly sealed: string }[];

/**
 * SQL for the rows of a partner's secrets at a moment. Those without an end come first, so that hurried
 * rotations of one kind never push the current one of the other kind out.
 * @param partnerId and `at` are SQL expressions, never input
 */
export function secretsInForce(partnerId: string, at: string): string {
  return `(select coalesce(jsonb_agg(to_jsonb(in_force)), '[]') from (
    select * from webhook_secret
    where webhook_secret.partner_id = ${partnerId} and (expires_at is null or expires_at > ${at})
    order by expires_at is not null, webhook_secret.created_at desc limit ${mostRead}
  ) as in_force)`;
}

/**
 * What is signed with: only secrets that this service has given that partner.
 * @throws AppError SERVICE_UNAVAILABLE where none is left, so that what is to be signed waits until one is back
 */
export function sealedSecretsOf(stored: StoredSecrets, rows: Pick<RowGuard, 'isIntact'>): string[] {
  const intact = stored.filter((secret) => rows.isIntact('webhook_secret', secret));
  if (intact.length === 0) throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
  return intact.slice(0, mostSecrets).map(({ sealed }) => sealed);
}
