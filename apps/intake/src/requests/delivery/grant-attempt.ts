import * as deliveryContract from '@rubrica/contracts/services/schemas/delivery-statement';
import * as eventsContract from '@rubrica/contracts/services/schemas/events';
import type { RowGuard } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { RequestsDeps } from '../deps.ts';

/** Maximum number of attempts after the first, which uses the secrets that came with the event. */
export const maxFurtherAttempts = eventsContract.maxEventAttempts - 1;

/**
 * Maximum number of secrets that sign a body. While a secret or key is being replaced there are two of it.
 */
const maxSecrets = 5;
/** Maximum number of rows that are read. Rows that this service has not written do not count as secrets. */
const maxRowsRead = 100;

/** Secrets as SQL returns them. */
export type StoredSecrets = readonly { readonly sealed: string }[];

/**
 * Returns SQL that is true for an event still to be delivered.
 * @param at SQL expression of a time, never input
 */
export function isOpenSql(at: string): string {
  return `(event.ended_at is null
    and coalesce(event.reopened_at, event.occurred_at) > ${at} - interval '${eventsContract.eventOpenHours} hours')`;
}

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

interface GrantOptions {
  readonly eventId: string;
  readonly partnerId: string;
  readonly url: string;
  /** Secrets of the partner; null where the event is read and no attempt is granted. */
  readonly secrets: StoredSecrets | null;
}

interface AttemptGrant {
  readonly sealedSecrets: string[];
  readonly statement: string;
}

/**
 * Signs the destination of an event and the secrets that sign it, for minutes. Statements are written only
 * where an attempt is granted, from verified data.
 * @throws AppError SERVICE_UNAVAILABLE if no secret is left
 */
export function grantAttempt(
  { eventId, partnerId, url, secrets }: GrantOptions,
  { keyring, clock, rows }: Pick<RequestsDeps, 'keyring' | 'clock' | 'rows'>,
): AttemptGrant {
  const sealedSecrets = secrets === null ? [] : selectSealedSecrets(secrets, rows);
  const iat = Math.floor(clock().getTime() / 1_000);
  const claims: Omit<deliveryContract.DeliveryStatement, 'iss'> = {
    aud: 'notifier',
    sub: eventId,
    partnerId,
    destinationSha256: sha256Hex(url),
    secretsSha256: sha256Hex(deliveryContract.secretsText(sealedSecrets)),
    iat,
    exp: iat + deliveryContract.deliveryStatementLifeMs / 1_000,
  };
  const statement = keyring.signStatement(deliveryContract.deliveryStatementType, claims);
  return { sealedSecrets, statement };
}
