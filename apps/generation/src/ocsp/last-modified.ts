import type { Standing } from '../certificate/standing.ts';

/**
 * Dates an OCSP answer for `Last-Modified`: by thisUpdate (RFC 5019, section 6.2), which is whole seconds in HTTP. An answer that was signed in
 * the second of the revocation is dated one second later: a client may have an answer of that second which says `good`, and would
 * be told that nothing has changed.
 */
export function dateAnswer(
  thisUpdate: Date,
  { revokedAt, heldAt }: Pick<Standing, 'revokedAt' | 'heldAt'>,
): Date {
  const changedAt = Math.max(revokedAt?.getTime() ?? 0, heldAt?.getTime() ?? 0);
  const second = toSecond(thisUpdate.getTime());
  return toSecond(changedAt) < second ? thisUpdate : new Date((second + 1) * 1_000);
}

function toSecond(ms: number): number {
  return Math.floor(ms / 1_000);
}
