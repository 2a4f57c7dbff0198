import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import { ifIntact } from '@rubrica/database/guarded';
import { KeyringError } from '@rubrica/process/keyring';
import type { UseCase } from '@rubrica/wiring';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { AccessDeps } from '../deps.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import {
  issueSessionTokens,
  type SessionDeps,
  type SessionTokens,
  sealRefreshToken,
} from './open-session.ts';
import {
  createNextRefreshToken,
  formatRefreshToken,
  judgeRefreshToken,
  parseRefreshToken,
  type RefreshToken,
} from './refresh-token.ts';
import { sealSession } from './seal-session.ts';
import { type OperatorSession, OperatorSessionEntity } from './session.entity.ts';
import { type SessionDirectoryDeps, sessionEnded } from './session-directory.ts';

type Refresh = UseCase<'intake', 'tokens.refresh'>;
type RefreshSessionDeps = SessionDeps & Pick<AccessDeps, 'database'> & SessionDirectoryDeps;

/**
 * Issues new tokens of a session for its refresh token, which is used up. A token that is presented again
 * ends the session: two parties have it, and nobody knows which one is the operator.
 * @throws AppError UNAUTHENTICATED
 */
export function createRefreshSession(deps: RefreshSessionDeps): Refresh {
  return async ({ sealedRefreshToken, address }, { peer }) => {
    const presented = await openPresented(sealedRefreshToken, peer, deps);
    const tokens = await deps.database.transaction((em) => refresh(em, { presented, address }, deps));
    deps.sessions.forget(presented.sessionId);
    if (tokens === undefined) throw sessionEnded();
    return sealSession(tokens, { peer, sealedProof: sealedRefreshToken }, deps);
  };
}

async function openPresented(
  sealed: string,
  owner: string,
  { keyring }: Pick<RefreshSessionDeps, 'keyring'>,
): Promise<RefreshToken> {
  try {
    const text = await keyring.openText(sealed, { purpose: 'entered-refresh-token', owner });
    const presented = parseRefreshToken(text);
    if (presented !== undefined) return presented;
  } catch (cause) {
    if (!(cause instanceof KeyringError)) throw cause;
  }
  throw sessionEnded();
}

interface PresentedToken {
  readonly presented: RefreshToken;
  readonly address: string;
}

/** @returns undefined if the session has ended, which is committed */
async function refresh(
  em: EntityManager,
  { presented, address }: PresentedToken,
  deps: RefreshSessionDeps,
): Promise<SessionTokens | undefined> {
  const session = await ifIntact(
    em.findOne(
      OperatorSessionEntity,
      { id: presented.sessionId, endedAt: null },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    ),
  );
  const now = deps.clock();
  if (!session || session.expiresAt <= now) return undefined;
  const verdict = judgeRefreshToken(presented, session, now);
  if (verdict === 'unknown') return undefined;
  const current = { id: session.operatorId, enabled: true, gen: session.gen };
  const operator = await ifIntact(em.findOne(OperatorEntity, current));
  if (!operator) return undefined;
  if (verdict === 'used-up') return endStolen(em, { session, operator, address, now });
  const refreshToken =
    verdict === 'present'
      ? await rotate(session, { presented, now }, deps)
      : await openCurrentToken(session, deps);
  return refreshToken === undefined
    ? undefined
    : issueSessionTokens({ session, operator, refreshToken }, deps);
}

async function rotate(
  session: OperatorSession,
  { presented, now }: { readonly presented: RefreshToken; readonly now: Date },
  deps: RefreshSessionDeps,
): Promise<string> {
  const next = createNextRefreshToken(presented);
  session.previousSha256 = session.refreshSha256;
  session.refreshSha256 = sha256Hex(next.secret);
  session.sealedRefreshToken = await sealRefreshToken(next, deps);
  session.lastUsedAt = now;
  return formatRefreshToken(next);
}

/**
 * Returns the current token, so that two concurrent calls with the same token continue with the same next
 * one.
 */
async function openCurrentToken(
  { id: owner, sealedRefreshToken, refreshSha256 }: OperatorSession,
  { keyring }: Pick<RefreshSessionDeps, 'keyring'>,
): Promise<string | undefined> {
  try {
    const text = await keyring.openText(sealedRefreshToken, { purpose: 'refresh-token', owner });
    return sha256Hex(parseRefreshToken(text)?.secret ?? '') === refreshSha256 ? text : undefined;
  } catch (cause) {
    if (cause instanceof KeyringError) return undefined;
    throw cause;
  }
}

interface StolenSession {
  readonly session: OperatorSession;
  readonly operator: Operator;
  readonly address: string;
  readonly now: Date;
}

async function endStolen(
  em: EntityManager,
  { session, operator, address, now }: StolenSession,
): Promise<undefined> {
  session.endedAt = now;
  await recordAudit(em, {
    actor: 'service:intake',
    action: 'auth.refreshTokenReused',
    target: `operator:${operator.id}`,
    details: { email: operator.email, sessionId: session.id, address },
  });
}
