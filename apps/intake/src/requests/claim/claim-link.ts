import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { RowGuard } from '@rubrica/database/guarded';
import type { Keyring } from '@rubrica/process/keyring';
import { sha256Hex } from '../../base/sha256-hex.ts';
import { type Language, planMessage } from '../delivery/plan-message.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import { protectClaimLink } from './link-mac.ts';

export interface ClaimToken {
  readonly sha256: string;
  /** Token sealed to the notifier, which writes it into the mail. */
  readonly sealed: string;
}

/**
 * Creates a 256-bit token, before the transaction that stores it wherever the request's id is known by then.
 */
export async function createClaimToken(
  keyring: Pick<Keyring, 'sealTo'>,
  requestId: string,
): Promise<ClaimToken> {
  const token = randomBytes(32).toString('base64url');
  const sealed = await keyring.sealTo('notifier', token, { purpose: 'claim-link', owner: requestId });
  return { sha256: sha256Hex(token), sealed };
}

/** Returns the columns of the request that has the link. */
export function linkColumns(
  rows: Pick<RowGuard, 'protect'>,
  { requestId, token, now }: { readonly requestId: string; readonly token: ClaimToken; readonly now: Date },
) {
  const mac = protectClaimLink(rows, { requestId, tokenSha256: token.sha256 });
  return { claim_token_sha256: token.sha256, claim_link_mac: mac, link_sent_at: now };
}

/** Plans a claim mail: its row and its job. The caller commits all of it. */
export function planClaimMail(mail: {
  requestId: string;
  recipient: string;
  token: ClaimToken;
  language?: Language;
  id: string;
  now: Date;
}) {
  const { token, now, language = 'es', ...rest } = mail;
  return planMessage({
    ...rest,
    now,
    channel: 'email',
    template: 'claim',
    language,
    sealedSecret: token.sealed,
  });
}

/** Time after the claim window during which a dead link still tells whom to ask. */
const knownAfterMs = 30 * DAY_MS;

/** Returns the row of a link among all links ever issued: a dead one stays known for a while. */
export function linkRow(
  requestId: string,
  { token, claimExpiresAt }: { readonly token: ClaimToken; readonly claimExpiresAt: Date },
): DependentInsert {
  const expiresAt = new Date(claimExpiresAt.getTime() + knownAfterMs);
  const row = { token_sha256: token.sha256, request_id: requestId, expires_at: expiresAt };
  return { table: 'claim_link', rows: [row] };
}
