/**
 * Seals of calls and answers between two services, given by the one who opens the bus. Content goes in as parts and
 * comes out as one; a subject says who calls whom.
 */
export interface BusSeals {
  /** Calls and answers in clear are neither made nor taken. */
  readonly required: boolean;
  /** Throws where the receiver has no key. */
  sealCall(subject: string, content: readonly Uint8Array[]): SealedCall;
  openCall(subject: string, bytes: Uint8Array): OpenedCall;
}

export interface SealedCall {
  readonly bytes: Uint8Array;
  /** Content of an answer to this very call; undefined for anything else. */
  openAnswer(bytes: Uint8Array): Uint8Array | undefined;
}

export type OpenedCall =
  | {
      readonly kind: 'opened';
      readonly content: Uint8Array;
      sealAnswer(content: readonly Uint8Array[]): Uint8Array;
    }
  /** A `repeated` call gets no answer: the caller waits for that to the first one. */
  | { readonly kind: 'refused'; readonly reason: string };

export const repeated = 'repeated';

/** First byte of what is sealed. In clear it is that of JSON, and a call has headers. */
const sealedKinds: ReadonlySet<number | undefined> = new Set([1, 2]);

/** Tells whether a message may be a sealed one. */
export function isSealed(data: Uint8Array): boolean {
  return sealedKinds.has(data[0]);
}
