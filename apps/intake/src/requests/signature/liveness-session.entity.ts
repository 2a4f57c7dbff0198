import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { guardedSqlTable, type RowGuard } from '@rubrica/database/guarded';
import type { LivenessResult } from '../../outside/liveness/liveness.ts';
import type { Request } from '../request/request.entity.ts';

/** Proof of life of a request; without a status it is still open. */
export const LivenessSessionEntity = defineEntity({
  name: 'LivenessSession',
  tableName: 'liveness_session',
  properties: {
    requestId: p.uuid().primary(),
    attempt: p.integer().primary(),
    sessionId: p.text(),
    /** Address of the page, sealed to the gateway; deleted when the session ends. */
    sealedUrl: p.text().$type<string>().strictNullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    doneAt: p.datetime().$type<Date>().strictNullable(),
    status: p.text().$type<'SUCCEEDED' | 'FAILED' | 'EXPIRED'>().strictNullable(),
    endedAt: p.datetime().$type<Date>().strictNullable(),
    livenessConfidence: p.double().$type<number>().strictNullable(),
    faceMatchConfidence: p.double().$type<number>().strictNullable(),
    reasons: p.json<LivenessResult['failureReasons']>(),
    /**
     * MAC of request, attempt, session, address, end and digest of the evidence; null in rows of the previous
     * release.
     */
    mac: p.text().$type<string>().strictNullable(),
  },
});
export type LivenessSession = InferEntity<typeof LivenessSessionEntity>;

/**
 * Guarded columns of a session. Its rows are named by their request and written by SQL text. The MAC covers
 * the evidence's digest, a column of the request, because the provider was given its selfie. It covers the
 * sealed address, which receives the applicant's camera: anyone with a public key can seal another.
 */
export const livenessSessionTable = guardedSqlTable(
  'liveness_session',
  ['attempt', 'sessionId', 'sealedUrl', 'expiresAt', 'evidenceSha256'],
  {
    check: 'former-keys',
    source: {
      table: 'liveness_session',
      key: 'session_id',
      keyType: 'text',
      macColumn: 'mac',
      row: `jsonb_build_object('id', request_id, 'version', 1, 'mac', mac, 'attempt', attempt, 'session_id', session_id,
        'sealed_url', sealed_url, 'expires_at', liveness_session.expires_at, 'evidence_sha256', evidence_sha256)`,
      join: 'join request on request.id = liveness_session.request_id',
      where: 'liveness_session.status is null',
    },
  },
);

/**
 * Returns whether an open session was begun for this request and its evidence, and raises the alarm if not.
 */
export function isSessionAuthentic(
  rows: Pick<RowGuard, 'isIntact'>,
  session: LivenessSession,
  { evidenceSha256: evidence_sha256 }: Pick<Request, 'evidenceSha256'>,
): boolean {
  const { requestId: id, attempt, sessionId: session_id, sealedUrl: sealed_url, mac } = session;
  const { expiresAt: expires_at } = session;
  const stored = { id, version: 1, mac, attempt, session_id, sealed_url, expires_at, evidence_sha256 };
  return rows.isIntact('liveness_session', stored);
}

export function findOpenSession(sessions: readonly LivenessSession[]): LivenessSession | undefined {
  return sessions.find(({ status }) => status === null);
}
