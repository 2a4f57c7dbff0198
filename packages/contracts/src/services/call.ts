import type { z } from 'zod';
import type { OperatorRole, Scope, ServiceName, SessionScope } from '../shared/enumerations.ts';

/**
 * Principal that a call is made for. The receiver checks it.
 *
 * - `service`: the calling service itself
 * - `applicant`: a person with a link or a code; the input carries it, and the calling service acts for itself
 * - `partner`: a partner whose token has the scope, if one is named
 * - `operator`: an operator of the role or a higher one
 * - `anyone`: public data; the calling service acts for itself
 */
export type ActsFor =
  | { readonly kind: 'service' | 'applicant' | 'anyone' }
  | { readonly kind: 'partner'; readonly scope?: Scope }
  | {
      readonly kind: 'operator';
      readonly role: OperatorRole;
      /** Sessions that may call. Absent: full sessions only. */
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
 * Calls with their own capacity at the caller and at the receiver, so that a burst of them takes no capacity from other
 * calls. A call beyond `maxInFlight` is refused as RATE_LIMITED.
 */
export const bulkheads = {
  /** Calls that hash a password, which occupies a core for a tenth of a second. */
  passwords: { maxInFlight: 64, retryAfterSeconds: 5 },
} as const satisfies Record<string, { readonly maxInFlight: number; readonly retryAfterSeconds: number }>;
export type Bulkhead = keyof typeof bulkheads;

/** One row of the calls table: the full contract of a call between services. */
export type Call = Query | Mutation;

interface Query extends CallTerms {
  readonly kind: 'query';
  /**
   * Short query without bytes, of which many are made at once. Those of two event-loop ticks travel in one message, and
   * the slowest decides its time.
   */
  readonly travelsTogether?: true;
  /** The query reads many rows: at the receiver partners and operators share a few slots. */
  readonly takesTurns?: true;
}

interface Mutation extends CallTerms {
  readonly kind: 'mutation';
  readonly travelsTogether?: never;
  readonly takesTurns?: never;
}

interface CallTerms {
  /** Short description of the call. */
  readonly about: string;
  /** Services that may make the call. The bus admits no other, and the receiver refuses any other. */
  readonly callers: readonly ServiceName[];
  readonly actsFor: ActsFor;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Time that the caller waits; absent: the time that the caller has set for all its calls. */
  readonly timeoutMs?: number;
  /** Own capacity; absent: the capacity of all other calls. */
  readonly bulkhead?: Bulkhead;
  /**
   * Permission to repeat a call that was not answered. `same-id`: the receiver detects the repeat by the ids in the
   * input. `idempotent`: a second run changes nothing. Absent: a repeat might apply the call twice.
   */
  readonly repeat?: 'same-id' | 'idempotent';
}

/** Returns the row, with its types as narrow as they are written. */
export function call<const Row extends Call>(row: Row): Row {
  return row;
}
