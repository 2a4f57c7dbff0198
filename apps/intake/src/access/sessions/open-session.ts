import type { EntityManager } from '@mikro-orm/postgresql';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import type { OperatorRole, SessionMethod, SessionScope } from '@rubrica/contracts/shared/enumerations';
import { signAccessToken } from '@rubrica/process/tokens';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { AccessDeps } from '../deps.ts';
import { assertMethodAllowed } from '../operators/assert-method-allowed.ts';
import type { Operator } from '../operators/operator.entity.ts';
import { createRefreshToken, formatRefreshToken, type RefreshToken } from './refresh-token.ts';
import { type OperatorSession, OperatorSessionEntity } from './session.entity.ts';

/** Origin of a session, as shown to its owner. */
export interface SessionOrigin {
  readonly address: string;
  readonly userAgent?: string | undefined;
}

export interface SessionOptions {
  readonly operator: Pick<Operator, 'id' | 'email' | 'role' | 'gen'>;
  readonly method: SessionMethod;
  readonly scope?: SessionScope;
  /** Lifetime of the session, however often it is renewed; the setting by default. */
  readonly lifeMs?: number;
  readonly from: SessionOrigin;
}

/** Tokens of a session, in clear: seal them before they leave (`sealSession`). */
export interface SessionTokens {
  readonly sessionId: string;
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly refreshToken: string;
  readonly role: OperatorRole;
  readonly scope: SessionScope;
}

export type SessionDeps = Pick<
  AccessDeps,
  'keyring' | 'clock' | 'tokenClock' | 'newId' | 'baseUrl' | 'operatorSessions'
>;

/**
 * Opens a session for an operator who has proven the identity, in the caller's transaction; the caller writes
 * the audit. An access token is worthless until that is committed.
 * @throws AppError UNAUTHENTICATED for an operator who may sign in at the organisation's provider alone
 */
export async function openSession(
  em: EntityManager,
  { operator, method, scope = 'full', lifeMs, from }: SessionOptions,
  deps: SessionDeps,
): Promise<SessionTokens> {
  await assertMethodAllowed(em, { operatorId: operator.id, method });
  const token = createRefreshToken(deps.newId());
  const now = deps.clock();
  const session = em.create(OperatorSessionEntity, {
    id: token.sessionId,
    operatorId: operator.id,
    gen: operator.gen,
    method,
    scope,
    familySha256: sha256Hex(token.family),
    refreshSha256: sha256Hex(token.secret),
    previousSha256: null,
    sealedRefreshToken: await sealRefreshToken(token, deps),
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + (lifeMs ?? deps.operatorSessions.lifeHours * HOUR_MS)),
    endedAt: null,
    address: from.address,
    userAgent: from.userAgent ?? '',
  });
  await em.flush();
  return issueSessionTokens({ session, operator, refreshToken: formatRefreshToken(token) }, deps);
}

/** Seals the current refresh token for a caller that presents its predecessor at the same moment. */
export function sealRefreshToken(
  token: RefreshToken,
  { keyring }: Pick<SessionDeps, 'keyring'>,
): Promise<string> {
  const binding = { purpose: 'refresh-token', owner: token.sessionId } as const;
  return keyring.sealTo('intake', formatRefreshToken(token), binding);
}

interface SessionState {
  readonly session: Pick<OperatorSession, 'id' | 'scope' | 'expiresAt'>;
  readonly operator: SessionOptions['operator'];
  readonly refreshToken: string;
}

/** Issues a new access token to go with the refresh token; it does not outlive the session. */
export function issueSessionTokens(
  { session, operator, refreshToken }: SessionState,
  { keyring, clock, tokenClock, baseUrl, operatorSessions }: SessionDeps,
): SessionTokens {
  const { id: operatorId, email, role, gen } = operator;
  const leftSeconds = Math.floor((session.expiresAt.getTime() - clock().getTime()) / 1_000);
  const lifeSeconds = Math.max(1, Math.min(operatorSessions.accessSeconds, leftSeconds));
  const accessToken = signAccessToken(
    keyring,
    { caller: { kind: 'operator', operatorId, email, role }, gen, sessionId: session.id },
    { baseUrl, nowMs: tokenClock().getTime(), lifeSeconds },
  );
  const { id: sessionId, scope } = session;
  return { sessionId, accessToken, expiresInSeconds: lifeSeconds, refreshToken, role, scope };
}
