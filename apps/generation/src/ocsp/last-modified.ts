import type { StatusFields } from '../certificate/status-fields.ts';

/**
 * Returns the date of an OCSP answer for `Last-Modified`: thisUpdate (RFC 5019, section 6.2), in whole seconds. An
 * answer signed in the second of the revocation is dated one second later. Otherwise, a client with a `good` answer of
 * that second would be told that nothing changed.
 */
export function dateAnswer(
  thisUpdate: Date,
  { revokedAt, heldAt }: Pick<StatusFields, 'revokedAt' | 'heldAt'>,
): Date {
  const changedAt = Math.max(revokedAt?.getTime() ?? 0, heldAt?.getTime() ?? 0);
  const second = toSecond(thisUpdate.getTime());
  return toSecond(changedAt) < second ? thisUpdate : new Date((second + 1) * 1_000);
}

function toSecond(ms: number): number {
  return Math.floor(ms / 1_000);
}
