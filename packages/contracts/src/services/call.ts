import type { z } from 'zod';
import type { OperatorRole, Scope, ServiceName, SessionScope } from '../shared/enumerations.ts';

/**
 * For whom a call is made, which is what the receiver checks.
 *
 * - `service`: the calling service itself
 * - `applicant`: a person with a link or a code; the input carries it, the calling service speaks for itself
 * - `partner`: a partner whose token has the scope, where one is named
 * - `operator`: an operator of the role or a higher one
 * - `anyone`: what is public; the calling service speaks for itself
 */
export type ActsFor =
  | { readonly kind: 'service' | 'applicant' | 'anyone' }
  | { readonly kind: 'partner'; readonly scope?: Scope }
  | {
      readonly kind: 'operator';
      readonly role: OperatorRole;
      /** Full ones alone without it. */
      readonly sessions?: readonly SessionScope[] | undefined;
    };

export const service = { kind: 'service' } as const satisfies ActsFor;
export const applicant = { kind: 'applicant' } as const satisfies ActsFor;
export const anyone = { kind: 'anyone' } as const satisfies ActsFor;
export const anyPartner = { kind: 'partner' } as const satisfies ActsFor;
export function partner<const S extends Scope>(scope: S) {
  return { kind: 'partner', scope } as const satisfies ActsFor;
}
export function operator<const R extends OperatorRole>(role: R, sessions?: readonly SessionScope[]) {
  return { kind: 'operator', role, sessions } as const satisfies ActsFor;
}

/**
 * Calls that have room of their own at the caller and at the receiver, so that a burst of them costs no other call its
 * room. A call beyond `maxInFlight` is refused as RATE_LIMITED.
 */
export const bulkheads = {
  /** Calls that hash a password, which keeps a core busy for a tenth of a second. */
  passwords: { maxInFlight: 64, retryAfterSeconds: 5 },
} as const satisfies Record<string, { readonly maxInFlight: number; readonly retryAfterSeconds: number }>;
export type Bulkhead = keyof typeof bulkheads;

/** One row of the calls table: all that is agreed about a call between services. */
export type Call = Query | Mutation;

interface Query extends Agreed {
  readonly kind: 'query';
  /** A short one without bytes, of which many are made at once: those of two turns travel in one message, and the slowest decides. */
  readonly travelsTogether?: true;
  /** Reads many rows: at the receiver partners and operators take turns for a few places. */
  readonly takesTurns?: true;
}

interface Mutation extends Agreed {
  readonly kind: 'mutation';
  readonly travelsTogether?: never;
  readonly takesTurns?: never;
}

interface Agreed {
  /** What it does, in a few words: for the tables of the READMEs. */
  readonly about: string;
  /** The services that may make it. The bus lets no other, and the receiver refuses any other. */
  readonly callers: readonly ServiceName[];
  readonly actsFor: ActsFor;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** How long the caller waits; without it, the time that the caller has set for all its calls. */
  readonly timeoutMs?: number;
  /** Room of its own; without it, that of all other calls. */
  readonly bulkhead?: Bulkhead;
  /**
   * A caller that heard no answer may make the call again: the receiver tells by the ids in the input that it is the
   * same one (`same-id`), or doing it twice is as doing it once (`idempotent`). Without it a repeat might do it twice.
   */
  readonly repeat?: 'same-id' | 'idempotent';
}

/** A row, with its types kept as narrow as they are written. */
export function call<const Row extends Call>(row: Row): Row {
  return row;
}
