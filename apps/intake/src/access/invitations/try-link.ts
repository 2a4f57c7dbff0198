import { setTimeout as pause } from 'node:timers/promises';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { ifIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import { KeyringError } from '@rubrica/process/keyring';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import type { AccessDeps } from '../deps.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { type Attempts, createAttempts } from '../passwords/attempts.ts';
import { type Invitation, InvitationEntity } from './invitation.entity.ts';

interface PresentedLink {
  readonly sealedToken: string;
  readonly address: string;
}

type TryLinkDeps = Pick<AccessDeps, 'database' | 'keyring' | 'clock'>;

/** Function that uses a link. Failed tries are counted and slowed down, as wrong passwords are. */
export type TryLink = <Result>(
  link: PresentedLink,
  peer: string,
  work: (tokenSha256: string) => Promise<Result>,
) => Promise<Result>;

/**
 * @throws AppError UNAUTHENTICATED for a link that opens nothing, RATE_LIMITED; and the errors of the work
 */
export function createTryLink(deps: TryLinkDeps): TryLink {
  const attempts: Attempts = createAttempts(deps);
  return async ({ sealedToken, address }, peer, work) => {
    const tokenSha256 = await hashToken(sealedToken, peer, deps);
    const attempt = { account: `invitation ${tokenSha256}`, address };
    const { delayMs } = await attempts.count(attempt);
    if (delayMs > 0) await pause(delayMs);
    const result = await attempts.judge(attempt, () => work(tokenSha256));
    await attempts.forgive(attempt);
    return result;
  };
}

async function hashToken(sealedToken: string, peer: string, deps: TryLinkDeps): Promise<string> {
  try {
    return await hashLinkToken(deps, sealedToken, { purpose: 'entered-invitation', peer });
  } catch (cause) {
    if (cause instanceof KeyringError) throw linkEnded(cause);
    throw cause;
  }
}

export interface OpenInvitation {
  readonly invitation: Invitation;
  readonly operator: Operator;
}

/**
 * Loads the link of a token with its operator, locked until the transaction ends.
 * @throws AppError UNAUTHENTICATED
 */
export async function lockInvitation(
  em: EntityManager,
  tokenSha256: string,
  now: Date,
): Promise<OpenInvitation> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const invitation = await ifIntact(em.findOne(InvitationEntity, { tokenSha256 }, options));
  if (!invitation || invitation.expiresAt <= now) throw linkEnded();
  const operator = await ifIntact(em.findOne(OperatorEntity, { id: invitation.operatorId }, options));
  // Only an invitation is for an account that may do nothing yet.
  if (!operator || (invitation.kind !== 'invite' && !operator.enabled)) throw linkEnded();
  return { invitation, operator };
}

function linkEnded(cause?: unknown): AppError {
  const text = createText('operator.invitationEnded');
  return new AppError({ code: 'UNAUTHENTICATED', text, cause });
}
