import type { z } from 'zod';
import type { Bulkhead } from '../services/call.ts';
import type { operatorRoleSchema, ServiceName, SessionScope } from '../shared/enumerations.ts';
import type { SealedPurpose } from '../shared/sealed-purposes.ts';

/** What one operators' procedure is: which service answers, the least role, the shapes. */
export interface OperatorProcedure {
  readonly kind: 'query' | 'mutation';
  readonly service: ServiceName;
  /**
   * Where several services answer: the field of the input that names the one, itself or by the id of a change that waits;
   * or each of them answers its part.
   */
  readonly servedBy?: 'service' | 'id' | 'each';
  readonly role: z.infer<typeof operatorRoleSchema> | 'public';
  /** The sessions that may call it; full ones alone where it says nothing. */
  readonly sessions?: readonly SessionScope[];
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Fields of the output that arrive sealed to the gateway, for the operator who asks, and are opened there. */
  readonly opens?: Readonly<Record<string, SealedPurpose>>;
  /** Fields of the input that the gateway seals to the service, for the operator who asks: they cross the bus as proofs do. */
  readonly seals?: Readonly<Record<string, SealedPurpose>>;
  /** It shows what is known of applicants: the service writes down who read of whom before it answers. */
  readonly readsApplicants?: true;
  /**
   * Of an administrator's change: whether it takes a second one, by the record as it is and as it would be. Where a row
   * says nothing, it always does.
   */
  second?(before: object | null, after: object): boolean;
  /** Where one is enough: how often one administrator may do it within an hour. Beyond that it takes two. */
  readonly alonePerHour?: number;
  /** Changes that `alonePerHour` counts; all where the row says nothing. */
  countsAlone?(before: object | null, after: object): boolean;
  /** Reads many rows: operators take turns with each other and with partners for a few places of the service. */
  readonly takesTurns?: true;
  /** Room of its own between the services; without it, that of all other calls. */
  readonly bulkhead?: Bulkhead;
}
