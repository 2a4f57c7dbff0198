import { createHash } from 'node:crypto';
import { sandboxPeople as people } from '@rubrica/contracts/rest/sandbox-people';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Clock } from '@rubrica/process';
import type { Liveness, LivenessResult } from './liveness.ts';

const passed: LivenessResult = {
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

/** Nothing is remembered: any copy, and the same one after a restart, knows a session by making its id again. */
function sessionIdOf({ requestId, attempt }: { requestId: string; attempt: number }): string {
  return createHash('sha256').update(`liveness ${requestId}:${attempt}`).digest('base64url').slice(0, 32);
}

export interface SandboxLivenessOptions {
  readonly clock: Clock;
  /** The gateway's origin; nobody has to open what is made of it. */
  readonly baseUrl: string;
}

/** Proof of life answered in process: the outcome is there at once, and the same for the same question. */
export function createSandboxLiveness({ clock, baseUrl }: SandboxLivenessOptions): Liveness {
  return {
    hasOurPage: true,
    async createSession(order) {
      const sessionId = sessionIdOf(order);
      const livenessUrl = new URL(`/liveness/${sessionId}`, baseUrl).href;
      const expiresAt = new Date(clock().getTime() + sessionMs);
      return { outcome: 'created', session: { sessionId, livenessUrl, expiresAt } };
    },
    async getResult(question) {
      if (question.sessionId !== sessionIdOf(question)) return { outcome: 'not-found' };
      return { outcome: 'found', result: livenessExceptions[question.identificationNumber] ?? passed };
    },
  };
}
