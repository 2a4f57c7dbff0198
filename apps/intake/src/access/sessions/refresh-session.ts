import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { ifIntact, recordAudit } from '@rubrica/database';
import { KeyringError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { AccessDeps } from '../deps.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { type SessionDeps, type SessionTokens, sealAtRest, tokensOf } from './open-session.ts';
import {
  judgeRefreshToken,
  nextRefreshToken,
  type RefreshToken,
  readRefreshToken,
  refreshTokenText,
} from './refresh-token.ts';
import { sealSession } from './seal-session.ts';
import { type OperatorSession, OperatorSessionEntity } from './session.entity.ts';
import { type SessionDirectoryDeps, sessionEnded } from './session-directory.ts';

type Refresh = UseCase<'intake', 'tokens.refresh'>;
type Needs = SessionDeps & Pick<AccessDeps, 'database'> & SessionDirectoryDeps;

/**
 * New tokens of a session for its refresh token, which is used up by it. Shown again, it ends the session: two have it,
 * and nobody knows which of them is the operator.
 * @throws AppError UNAUTHENTICATED
 */
export function createRefreshSession(deps: Needs): Refresh {
  return async ({ sealedRefreshToken, address }, { peer }) => {
    const shown = await openShown(sealedRefreshToken, peer, deps);
    const tokens = await deps.database.transaction((em) => refresh(em, { shown, address }, deps));
    deps.sessions.forget(shown.sessionId);
    if (tokens === undefined) throw sessionEnded();
    return sealSession(tokens, { peer, sealedProof: sealedRefreshToken }, deps);
  };
}

async function openShown(
  sealed: string,
  owner: string,
  { keyring }: Pick<Needs, 'keyring'>,
): Promise<RefreshToken> {
  try {
    const text = await keyring.openText(sealed, { purpose: 'entered-refresh-token', owner });
    const shown = readRefreshToken(text);
    if (shown !== undefined) return shown;
  } catch (cause) {
    if (!(cause instanceof KeyringError)) throw cause;
  }
  throw sessionEnded();
}

interface Shown {
  readonly shown: RefreshToken;
  readonly address: string;
}

/** @returns undefined where the session has ended, which is committed */
async function refresh(
  em: EntityManager,
  { shown, address }: Shown,
  deps: Needs,
): Promise<SessionTokens | undefined> {
  const session = await ifIntact(
    em.findOne(
      OperatorSessionEntity,
      { id: shown.sessionId, endedAt: null },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    ),
  );
  const now = deps.clock();
  if (!session || session.expiresAt <= now) return undefined;
  const verdict = judgeRefreshToken(shown, session, now);
  if (verdict === 'unknown') return undefined;
  const standing = { id: session.operatorId, enabled: true, gen: session.gen };
  const operator = await ifIntact(em.findOne(OperatorEntity, standing));
  if (!operator) return undefined;
  if (verdict === 'used-up') return endStolen(em, { session, operator, address, now });
  const refreshToken =
    verdict === 'present' ? await rotate(session, { shown, now }, deps) : await presentToken(session, deps);
  return refreshToken === undefined ? undefined : tokensOf({ session, operator, refreshToken }, deps);
}

async function rotate(
  session: OperatorSession,
  { shown, now }: { readonly shown: RefreshToken; readonly now: Date },
  deps: Needs,
): Promise<string> {
  const next = nextRefreshToken(shown);
  session.previousSha256 = session.refreshSha256;
  session.refreshSha256 = sha256Hex(next.secret);
  session.sealedRefreshToken = await sealAtRest(next, deps);
  session.lastUsedAt = now;
  return refreshTokenText(next);
}

/** Two calls that showed the same token at the same moment go on with the same next one. */
async function presentToken(
  { id: owner, sealedRefreshToken, refreshSha256 }: OperatorSession,
  { keyring }: Pick<Needs, 'keyring'>,
): Promise<string | undefined> {
  try {
    const text = await keyring.openText(sealedRefreshToken, { purpose: 'refresh-token', owner });
    return sha256Hex(readRefreshToken(text)?.secret ?? '') === refreshSha256 ? text : undefined;
  } catch (cause) {
    if (cause instanceof KeyringError) return undefined;
    throw cause;
  }
}

interface Stolen {
  readonly session: OperatorSession;
  readonly operator: Operator;
  readonly address: string;
  readonly now: Date;
}

async function endStolen(em: EntityManager, { session, operator, address, now }: Stolen): Promise<undefined> {
  session.endedAt = now;
  await recordAudit(em, {
    actor: 'service:intake',
    action: 'auth.refreshTokenReused',
    target: `operator:${operator.id}`,
    details: { email: operator.email, sessionId: session.id, address },
  });
}
