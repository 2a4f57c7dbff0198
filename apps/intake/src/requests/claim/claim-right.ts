import { randomBytes } from 'node:crypto';
import type { linkRight } from '@rubrica/contracts/services/schemas/claims';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { type RowGuard, type StatementTarget, statement } from '@rubrica/database';
import { type Keyring, uuidv7 } from '@rubrica/process';
import type { z } from 'zod';
import { isAuthentic } from '../../base/is-authentic.ts';
import { sha256Hex } from '../../base/sha256-hex.ts';
import { forgetExpired } from '../../base/sweeper-task.ts';
import type { DependentInsert } from '../request/one-statement.ts';

const lifeMs = { claim: 15 * MINUTE_MS, download: 30 * MINUTE_MS } as const;
type RightPurpose = keyof typeof lifeMs;

/** What stands for a code that was right, so that its applicant is not asked for another in one sitting. */
export interface MadeRight {
  readonly tokenSha256: string;
  readonly secretSha256: string;
  readonly sealedRight: string;
  readonly rows: Pick<RowGuard, 'protect'>;
}

/** A fresh secret of 256 bits. Made before the transaction that stores it. */
export async function makeRight(
  { keyring, rows }: { readonly keyring: Pick<Keyring, 'sealTo'>; readonly rows: Pick<RowGuard, 'protect'> },
  { tokenSha256, peer }: { readonly tokenSha256: string; readonly peer: ServiceName },
): Promise<MadeRight> {
  const secret = randomBytes(32).toString('base64url');
  const binding = { purpose: 'new-claim-right', owner: tokenSha256 } as const;
  return {
    tokenSha256,
    secretSha256: sha256Hex(secret),
    sealedRight: await keyring.sealTo(peer, secret, binding),
    rows,
  };
}

/** A right as values: its row, and what its owner is answered once that is committed. */
export function planRight(
  { tokenSha256, secretSha256, sealedRight, rows }: MadeRight,
  given: { readonly requestId: string; readonly purpose: RightPurpose; readonly now: Date },
): { readonly insert: DependentInsert; readonly right: z.output<typeof linkRight> } {
  const { requestId, purpose, now } = given;
  const expiresAt = new Date(now.getTime() + lifeMs[purpose]);
  const id = uuidv7();
  const row = { id, secret_sha256: secretSha256, request_id: requestId, token_sha256: tokenSha256 };
  const mac = rows.protect('claim_right', { id, secretSha256, requestId, tokenSha256, purpose, expiresAt });
  return {
    insert: { table: 'claim_right', rows: [{ ...row, purpose, expires_at: expiresAt, ...mac }] },
    right: { sealedRight, expiresAt: expiresAt.toISOString() },
  };
}

interface ShownRight {
  readonly secretSha256: string;
  readonly tokenSha256: string;
  readonly purpose: RightPurpose;
  /** The request that it is shown for: a link that was given to another request brings its rights along to none. */
  readonly requestIds: readonly string[];
  readonly now: Date;
}

const find = statement<ShownRight, { readonly stored: Readonly<Record<string, unknown>> }>({
  name: 'find-claim-right',
  sql: `select to_jsonb(claim_right) as stored from claim_right
    where secret_sha256 = :secretSha256 and token_sha256 = :tokenSha256 and request_id = any(:requestIds::uuid[])
    and purpose = :purpose and expires_at > :now`,
});

/** The hash by which a right is found that came sealed. @throws KeyringError */
export async function hashOfRight(
  keyring: Pick<Keyring, 'openText'>,
  { sealedRight, tokenSha256 }: { readonly sealedRight: string; readonly tokenSha256: string },
): Promise<string> {
  return sha256Hex(await keyring.openText(sealedRight, { purpose: 'claim-right', owner: tokenSha256 }));
}

/** Whether the right is good with this link at `now`. */
export async function hasRight(
  target: StatementTarget,
  shown: ShownRight,
  rows: Pick<RowGuard, 'isIntact'>,
): Promise<boolean> {
  const [right] = await find.run(target, shown);
  return right !== undefined && isAuthentic(rows, 'claim_right', right.stored);
}

/** What is over opens nothing any more. */
export const forgetRights = forgetExpired({
  name: 'forget-claim-rights',
  table: 'claim_right',
  key: 'secret_sha256',
  at: 'expires_at',
});
