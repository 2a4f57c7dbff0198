import type { livenessStatuses } from '@rubrica/contracts/rest/api-flow';

/** One session of a person before a camera, to be compared with the selfie that was handed in. */
export interface LivenessOrder {
  readonly requestId: string;
  /** 1 is the first session of the request. The same attempt, asked for again after a crash, is the same session. */
  readonly attempt: number;
  readonly identificationNumber: string;
  /** What the face is compared with. */
  readonly selfie: {
    readonly mediaType: 'image/jpeg' | 'image/png';
    readonly content: Uint8Array;
  };
  readonly signal: AbortSignal;
}

export interface LivenessSession {
  readonly sessionId: string;
  /** For the applicant's browser; a secret of theirs while the session lasts. */
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
  /** 0 to 100: that a living person sat there; null while nothing is known. */
  readonly livenessConfidence: number | null;
  /** 0 to 100: that it was the person of the selfie. */
  readonly faceMatchConfidence: number | null;
  /** Codes of the catalogue; at least one where the status is `FAILED` or `EXPIRED`, none elsewhere. */
  readonly failureReasons: readonly (typeof livenessReasons)[number][];
}

export type LivenessAnswer =
  | { readonly outcome: 'found'; readonly result: LivenessResult }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'unavailable' };

/** Proof of life, as the API flow needs it. An adapter answers `unavailable`, it does not throw. */
export interface Liveness {
  /** Its addresses lead to our own page, which says when the applicant is done. */
  readonly hasOurPage: boolean;
  createSession(order: LivenessOrder): Promise<LivenessOrdered>;
  getResult(question: LivenessQuestion): Promise<LivenessAnswer>;
}
