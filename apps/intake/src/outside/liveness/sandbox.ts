import { createHash } from 'node:crypto';
import { sandboxPeople as people } from '@rubrica/contracts/rest/sandbox-people';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Clock } from '@rubrica/process/time';
import type { Liveness, LivenessResult } from './liveness.ts';

const success: LivenessResult = {
  status: 'SUCCEEDED',
  livenessConfidence: 99,
  faceMatchConfidence: 99,
  failureReasons: [],
};

/** Cédulas with an agreed outcome; every other one passes. */
export const livenessExceptions: Readonly<Record<string, LivenessResult>> = {
  [people.livenessFails]: {
    status: 'FAILED',
    livenessConfidence: 12,
    faceMatchConfidence: null,
    failureReasons: ['LIVENESS_FAILED'],
  },
  [people.selfieMismatch]: {
    status: 'FAILED',
    livenessConfidence: 99,
    faceMatchConfidence: 8,
    failureReasons: ['SELFIE_MISMATCH'],
  },
};

const sessionMs = 15 * MINUTE_MS;

/**
 * Derives the id of a session. Nothing is stored: any copy, also after a restart, recognises a session by
 * deriving its id again.
 */
function deriveSessionId({ requestId, attempt }: { requestId: string; attempt: number }): string {
  return createHash('sha256').update(`liveness ${requestId}:${attempt}`).digest('base64url').slice(0, 32);
}

export interface SandboxLivenessOptions {
  readonly clock: Clock;
  /** Origin of the gateway, for the addresses of sessions; nobody has to open them. */
  readonly baseUrl: string;
}

/** Creates a proof of life in process. The outcome is known at once and is the same for the same question. */
export function createSandboxLiveness({ clock, baseUrl }: SandboxLivenessOptions): Liveness {
  return {
    hasOurPage: true,
    async createSession(order) {
      const sessionId = deriveSessionId(order);
      const livenessUrl = new URL(`/liveness/${sessionId}`, baseUrl).href;
      const expiresAt = new Date(clock().getTime() + sessionMs);
      return { outcome: 'created', session: { sessionId, livenessUrl, expiresAt } };
    },
    async getResult(question) {
      if (question.sessionId !== deriveSessionId(question)) return { outcome: 'not-found' };
      return { outcome: 'found', result: livenessExceptions[question.identificationNumber] ?? success };
    },
  };
}
