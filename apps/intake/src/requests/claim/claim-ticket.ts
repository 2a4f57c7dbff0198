import { randomBytes } from 'node:crypto';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { linkTicket } from '@rubrica/contracts/services/schemas/claims';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { runStatement } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import { uuidv7 } from '@rubrica/process/time';
import type { z } from 'zod';
import { isAuthentic } from '../../base/is-authentic.ts';
import { sha256Hex } from '../../base/sha256-hex.ts';
import { deleteExpired } from '../../base/sweeper-task.ts';
import type { RequestsDeps } from '../deps.ts';
import { buildStatement, type DependentInsert } from '../request/one-statement.ts';
import type { LinkDeps } from './find-claim.ts';

const lifeMs = { claim: 15 * MINUTE_MS, download: 30 * MINUTE_MS } as const;
type TicketPurpose = keyof typeof lifeMs;

/**
 * Ticket for a code that was right, so that the applicant is not asked for another one in the same sitting.
 */
export interface IssuedTicket {
  readonly tokenSha256: string;
  readonly secretSha256: string;
  readonly sealedTicket: string;
  readonly rows: Pick<RowGuard, 'protect'>;
}

/** Issues a secret of 256 bits, before the transaction that stores it. */
export async function issueTicket(
  { keyring, rows }: { readonly keyring: Pick<Keyring, 'sealTo'>; readonly rows: Pick<RowGuard, 'protect'> },
  { tokenSha256, peer }: { readonly tokenSha256: string; readonly peer: ServiceName },
): Promise<IssuedTicket> {
  const secret = randomBytes(32).toString('base64url');
  const binding = { purpose: 'new-claim-right', owner: tokenSha256 } as const;
  return {
    tokenSha256,
    secretSha256: sha256Hex(secret),
    sealedTicket: await keyring.sealTo(peer, secret, binding),
    rows,
  };
}

/** Plans a ticket: its row, and the answer to its owner once that is committed. */
export function planTicket(
  { tokenSha256, secretSha256, sealedTicket, rows }: IssuedTicket,
  options: { readonly requestId: string; readonly purpose: TicketPurpose; readonly now: Date },
): { readonly insert: DependentInsert; readonly ticket: z.output<typeof linkTicket> } {
  const { requestId, purpose, now } = options;
  const expiresAt = new Date(now.getTime() + lifeMs[purpose]);
  const id = uuidv7();
  const row = { id, secret_sha256: secretSha256, request_id: requestId, token_sha256: tokenSha256 };
  const mac = rows.protect('claim_right', { id, secretSha256, requestId, tokenSha256, purpose, expiresAt });
  return {
    insert: { table: 'claim_right', rows: [{ ...row, purpose, expires_at: expiresAt, ...mac }] },
    ticket: { sealedRight: sealedTicket, expiresAt: expiresAt.toISOString() },
  };
}

interface PresentedTicket {
  readonly secretSha256: string;
  readonly tokenSha256: string;
  readonly purpose: TicketPurpose;
  /** Requests for which it is presented: a link that is moved to another request brings no tickets along. */
  readonly requestIds: readonly string[];
  readonly now: Date;
}

const find = statement<PresentedTicket, { readonly stored: Readonly<Record<string, unknown>> }>({
  name: 'find-claim-right',
  sql: `select to_jsonb(claim_right) as stored from claim_right
    where secret_sha256 = :secretSha256 and token_sha256 = :tokenSha256 and request_id = any(:requestIds::uuid[])
    and purpose = :purpose and expires_at > :now`,
});

/** Hashes a ticket that came sealed, to find its row. @throws KeyringError */
export async function hashTicket(
  keyring: Pick<Keyring, 'openText'>,
  { sealedTicket, tokenSha256 }: { readonly sealedTicket: string; readonly tokenSha256: string },
): Promise<string> {
  return sha256Hex(await keyring.openText(sealedTicket, { purpose: 'claim-right', owner: tokenSha256 }));
}

/** Returns whether the ticket is valid with this link at `now`. */
export async function isTicketValid(
  target: StatementTarget,
  presented: PresentedTicket,
  rows: Pick<RowGuard, 'isIntact'>,
): Promise<boolean> {
  const [ticket] = await find.run(target, presented);
  return ticket !== undefined && isAuthentic(rows, 'claim_right', ticket.stored);
}

type ReissueDeps = Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'rows'> & LinkDeps;

/**
 * Issues the download ticket again for a repeated claim: the answer that carried it was lost, or the button
 * was tapped twice. Only the ticket with which the claim was made entitles to it; a link, or a used code,
 * proves nothing any more.
 */
export async function reissueDownloadTicket(
  deps: ReissueDeps,
  repeated: {
    readonly sealedRight?: string | undefined;
    readonly tokenSha256: string;
    readonly peer: ServiceName;
  },
) {
  const { sealedRight: sealedTicket, tokenSha256, peer } = repeated;
  if (sealedTicket === undefined) return null;
  const secretSha256 = await hashTicket(deps.keyring, { sealedTicket, tokenSha256 });
  const ticket = await issueTicket(deps, { tokenSha256, peer });
  return deps.database.transaction(async (em) => {
    const { requestId, renewalOf, state, now } = await deps.links.lock(em, tokenSha256, deps.clock);
    const isClaimed = state === 'IN_PROGRESS' || state === 'ISSUED';
    // A renewal was made with the ticket of the request that it renews.
    const requestIds = renewalOf === null ? [requestId] : [requestId, renewalOf];
    const presented = { secretSha256, tokenSha256, requestIds, purpose: 'claim', now } as const;
    if (!isClaimed || !(await isTicketValid(em, presented, deps.rows))) return null;
    const planned = planTicket(ticket, { requestId, purpose: 'download', now });
    const change = { sql: 'select id from request where id = :requestId', params: { requestId } };
    await runStatement(em, buildStatement(change, { inserts: [planned.insert], messages: [] }));
    return planned.ticket;
  });
}

/** Creates the error for a ticket that is expired, or was never issued: the page asks for a new code. */
export function createTicketExpired(): AppError {
  return new AppError({ code: 'OTP_EXPIRED', text: createText('request.codeTooOld') });
}

/** Deletes expired tickets, which open nothing any more. */
export const forgetTickets = deleteExpired({
  name: 'forget-claim-rights',
  table: 'claim_right',
  key: 'secret_sha256',
  at: 'expires_at',
});
