/**
 * Seals of calls and answers between two services, provided by the user of the bus. Content is passed in parts and
 * returned as one; a subject identifies caller and receiver.
 */
export interface BusSeals {
  /** Unsealed calls and answers are neither sent nor accepted. */
  readonly required: boolean;
  /** Seals a call. Throws if the receiver has no key. */
  sealCall(subject: string, content: readonly Uint8Array[]): SealedCall;
  openCall(subject: string, bytes: Uint8Array): OpenedCall;
}

export interface SealedCall {
  readonly bytes: Uint8Array;
  /** Opens the answer to this call; undefined for anything else. */
  openAnswer(bytes: Uint8Array): Uint8Array | undefined;
}

export type OpenedCall =
  | {
      readonly kind: 'opened';
      readonly content: Uint8Array;
      sealAnswer(content: readonly Uint8Array[]): Uint8Array;
    }
  /** Refusal. A `repeated` call gets no answer: the caller waits for the answer to the first one. */
  | { readonly kind: 'refused'; readonly reason: string };

export const repeated = 'repeated';

/** First bytes of sealed messages. Unsealed ones begin with JSON, and a call has headers. */
const sealedKinds: ReadonlySet<number | undefined> = new Set([1, 2]);

/** Tells whether a message may be a sealed one. */
export function isSealed(data: Uint8Array): boolean {
  return sealedKinds.has(data[0]);
}
