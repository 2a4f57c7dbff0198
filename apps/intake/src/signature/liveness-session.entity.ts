import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { guardedSqlTable, type RowGuard } from '@rubrica/database';
import type { LivenessResult } from '../outside/liveness/liveness.ts';

/** One proof of life of one request; without a status it is still open. */
export const LivenessSessionEntity = defineEntity({
  name: 'LivenessSession',
  tableName: 'liveness_session',
  properties: {
    requestId: p.uuid().primary(),
    attempt: p.integer().primary(),
    sessionId: p.text(),
    /** Sealed to the gateway; goes when the session ends. */
    sealedUrl: p.text().$type<string>().strictNullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    doneAt: p.datetime().$type<Date>().strictNullable(),
    status: p.text().$type<'SUCCEEDED' | 'FAILED' | 'EXPIRED'>().strictNullable(),
    endedAt: p.datetime().$type<Date>().strictNullable(),
    livenessConfidence: p.double().$type<number>().strictNullable(),
    faceMatchConfidence: p.double().$type<number>().strictNullable(),
    reasons: p.json<LivenessResult['failureReasons']>(),
    /** Over request, attempt, session and end; null in rows of the release before. */
    mac: p.text().$type<string>().strictNullable(),
  },
});
export type LivenessSession = InferEntity<typeof LivenessSessionEntity>;

/** Its rows are named by their request and written by SQL text. */
export const livenessSessionTable = guardedSqlTable(
  'liveness_session',
  ['attempt', 'sessionId', 'expiresAt'],
  { check: 'none' },
);

/** Tells whether the session is the one that was begun for this request, and raises the alarm if it is not. */
export function isOwnSession(rows: Pick<RowGuard, 'isIntact'>, session: LivenessSession): boolean {
  const { requestId: id, attempt, sessionId: session_id, expiresAt: expires_at, mac } = session;
  return rows.isIntact('liveness_session', { id, version: 1, mac, attempt, session_id, expires_at });
}

export function openOf(sessions: readonly LivenessSession[]): LivenessSession | undefined {
  return sessions.find(({ status }) => status === null);
}
