import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { linkRight } from '@rubrica/contracts/services/schemas/claims';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { statement } from '@rubrica/database';
import type { Keyring } from '@rubrica/process';
import type { z } from 'zod';
import type { DependentInsert } from '../request/one-statement.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { forgetExpired } from '../sweeper-task.ts';

const lifeMs = { claim: 15 * MINUTE_MS, download: 30 * MINUTE_MS } as const;
type RightPurpose = keyof typeof lifeMs;

/** What stands for a code that was right, so that its applicant is not asked for another in one sitting. */
export interface MadeRight {
  readonly tokenSha256: string;
  readonly secretSha256: string;
  readonly sealedRight: string;
}

/** A fresh secret of 256 bits. Made before the transaction that stores it. */
export async function makeRight(
  keyring: Pick<Keyring, 'sealTo'>,
  { tokenSha256, peer }: { readonly tokenSha256: string; readonly peer: ServiceName },
): Promise<MadeRight> {
  const secret = randomBytes(32).toString('base64url');
  const binding = { purpose: 'new-claim-right', owner: tokenSha256 } as const;
  return {
    tokenSha256,
    secretSha256: sha256Hex(secret),
    sealedRight: await keyring.sealTo(peer, secret, binding),
  };
}

/** A right as values: its row, and what its owner is answered once that is committed. */
export function planRight(
  { tokenSha256, secretSha256, sealedRight }: MadeRight,
  given: { readonly requestId: string; readonly purpose: RightPurpose; readonly now: Date },
): { readonly insert: DependentInsert; readonly right: z.output<typeof linkRight> } {
  const { requestId, purpose, now } = given;
  const expiresAt = new Date(now.getTime() + lifeMs[purpose]);
  const row = { secret_sha256: secretSha256, request_id: requestId, token_sha256: tokenSha256 };
  return {
    insert: { table: 'claim_right', rows: [{ ...row, purpose, expires_at: expiresAt }] },
    right: { sealedRight, expiresAt: expiresAt.toISOString() },
  };
}

interface ShownRight {
  readonly secretSha256: string;
  readonly tokenSha256: string;
  readonly purpose: RightPurpose;
  readonly now: Date;
}

const find = statement<ShownRight>({
  name: 'find-claim-right',
  sql: `select 1 from claim_right where secret_sha256 = :secretSha256 and token_sha256 = :tokenSha256
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
export async function hasRight(em: EntityManager, shown: ShownRight): Promise<boolean> {
  return (await find.run(em, shown)).length > 0;
}

/** What is over opens nothing any more. */
export const forgetRights = forgetExpired({
  name: 'forget-claim-rights',
  table: 'claim_right',
  key: 'secret_sha256',
  at: 'expires_at',
});
