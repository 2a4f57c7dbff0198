import type { livenessStatuses } from '@rubrica/contracts/rest/api-flow';

/** Order of a session of a person before a camera, to be compared with the selfie of the request. */
export interface LivenessOrder {
  readonly requestId: string;
  /**
   * Number of the session of the request, from 1. The same attempt, ordered again after a crash, is the same
   * session.
   */
  readonly attempt: number;
  readonly identificationNumber: string;
  /** Picture with which the face is compared. */
  readonly selfie: {
    readonly mediaType: 'image/jpeg' | 'image/png';
    readonly content: Uint8Array;
  };
  readonly signal: AbortSignal;
}

export interface LivenessSession {
  readonly sessionId: string;
  /** Address for the applicant's browser; a secret of theirs while the session lasts. */
  readonly livenessUrl: string;
  readonly expiresAt: Date;
}

export type LivenessOrdered =
  | { readonly outcome: 'created'; readonly session: LivenessSession }
  | { readonly outcome: 'unavailable' };

export interface LivenessQuestion {
  readonly requestId: string;
  readonly attempt: number;
  readonly identificationNumber: string;
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

export const livenessReasons = ['LIVENESS_FAILED', 'SELFIE_MISMATCH', 'LIVENESS_SESSION_EXPIRED'] as const;

export interface LivenessResult {
  readonly status: (typeof livenessStatuses)[number];
  /** Confidence that a living person was there, 0 to 100; null while unknown. */
  readonly livenessConfidence: number | null;
  /** Confidence that it was the person of the selfie, 0 to 100; null while unknown. */
  readonly faceMatchConfidence: number | null;
  /** Codes of the catalogue: at least one if the status is `FAILED` or `EXPIRED`, none otherwise. */
  readonly failureReasons: readonly (typeof livenessReasons)[number][];
}

export type LivenessAnswer =
  | { readonly outcome: 'found'; readonly result: LivenessResult }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'unavailable' };

/** Proof of life for the API flow. An adapter answers `unavailable` and never throws. */
export interface Liveness {
  /** True if its addresses lead to our own page, which reports when the applicant is done. */
  readonly hasOurPage: boolean;
  createSession(order: LivenessOrder): Promise<LivenessOrdered>;
  getResult(question: LivenessQuestion): Promise<LivenessAnswer>;
}
