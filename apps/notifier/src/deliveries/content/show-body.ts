import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import type { Sealed } from '@rubrica/database/sealed';
import { statement } from '@rubrica/database/statement';
import type { Keyring } from '@rubrica/process/keyring';
import { type GuardedDelivery, isDeliveryIntact } from '../../store/guarded-tables.ts';
import { isoSql } from '../../store/instants.ts';
import { openBody } from './open-body.ts';

type StoredDelivery = Omit<GuardedDelivery, 'body'> & {
  readonly body: Sealed | null;
  readonly mac: string | null;
};

const find = statement<{ readonly id: string }, StoredDelivery>({
  name: 'body-of-delivery',
  sql: `
select id, request_id as "requestId", partner_id as "partnerId", url, type, ${isoSql('occurred_at')} as "occurredAt",
  renewal_of as "renewalOf", code, body, mac
from delivery where id = :id`,
});

export interface ShowBodyDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly keyring: Pick<Keyring, 'open'>;
  readonly rows: Pick<RowGuard, 'isIntact'>;
}

/**
 * Opens the body of a delivery for an authorised caller. Null once it is purged, and for a row that differs from what
 * this service stored, because nothing proves its body.
 */
export async function showBody(
  id: string,
  { database, keyring, rows }: ShowBodyDeps,
): Promise<Buffer | null> {
  const [found] = await find.run(database, { id });
  if (found === undefined || found.body === null) return null;
  const stored = { ...found, body: found.body };
  return isDeliveryIntact(rows, stored) ? openBody(stored, keyring) : null;
}
