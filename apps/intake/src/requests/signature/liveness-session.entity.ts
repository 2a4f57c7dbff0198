import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { guardedSqlTable, type RowGuard } from '@rubrica/database';
import type { LivenessResult } from '../../outside/liveness/liveness.ts';
import type { Request } from '../request/request.entity.ts';

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
    /** Over request, attempt, session, address, end and digest of the evidence; null in rows of the release before. */
    mac: p.text().$type<string>().strictNullable(),
  },
});
export type LivenessSession = InferEntity<typeof LivenessSessionEntity>;

/**
 * Its rows are named by their request and written by SQL text. The MAC covers the digest of the evidence too, which is a column
 * of the request: the provider was given its selfie. It covers the sealed address too, where the applicant's camera is sent: whoever
 * has a public key can seal another.
 */
export const livenessSessionTable = guardedSqlTable(
  'liveness_session',
  ['attempt', 'sessionId', 'sealedUrl', 'expiresAt', 'evidenceSha256'],
  { check: 'none' },
);

/** Tells whether an open session was begun for this request and its evidence, and raises the alarm if it was not. */
export function isOwnSession(
  rows: Pick<RowGuard, 'isIntact'>,
  session: LivenessSession,
  { evidenceSha256: evidence_sha256 }: Pick<Request, 'evidenceSha256'>,
): boolean {
  const { requestId: id, attempt, sessionId: session_id, sealedUrl: sealed_url, mac } = session;
  const { expiresAt: expires_at } = session;
  const stored = { id, version: 1, mac, attempt, session_id, sealed_url, expires_at, evidence_sha256 };
  return rows.isIntact('liveness_session', stored);
}

export function openOf(sessions: readonly LivenessSession[]): LivenessSession | undefined {
  return sessions.find(({ status }) => status === null);
}
