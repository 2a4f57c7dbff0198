import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
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
  },
});
export type LivenessSession = InferEntity<typeof LivenessSessionEntity>;

export function openOf(sessions: readonly LivenessSession[]): LivenessSession | undefined {
  return sessions.find(({ status }) => status === null);
}
