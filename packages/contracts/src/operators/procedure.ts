import type { z } from 'zod';
import type { Bulkhead } from '../services/call.ts';
import type { operatorRoleSchema, ServiceName, SessionScope } from '../shared/enumerations.ts';
import type { SealedPurpose } from '../shared/sealed-purposes.ts';

/** One operators' procedure: answering service, lowest role, schemas. */
export interface OperatorProcedure {
  readonly kind: 'query' | 'mutation';
  readonly service: ServiceName;
  /**
   * Selection among several services that answer: by a field of the input, which is the service or the id of a waiting
   * change; or each service answers its part.
   */
  readonly servedBy?: 'service' | 'id' | 'each';
  readonly role: z.infer<typeof operatorRoleSchema> | 'public';
  /** Sessions that may call the procedure; absent: full sessions only. */
  readonly sessions?: readonly SessionScope[];
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Output fields that arrive sealed to the gateway for the calling operator, and are opened there. */
  readonly opens?: Readonly<Record<string, SealedPurpose>>;
  /** Input fields that the gateway seals to the service for the calling operator; they cross the bus like proofs. */
  readonly seals?: Readonly<Record<string, SealedPurpose>>;
  /** The procedure shows data of applicants: before it answers, the service records who read whose data. */
  readonly readsApplicants?: true;
  /**
   * Tells whether a change needs a second administrator, by the present and the changed record. Without this function
   * it always does.
   */
  second?(before: object | null, after: object): boolean;
  /** Changes per hour that one administrator may make alone, if one is enough. Further ones need two. */
  readonly alonePerHour?: number;
  /** Selects the changes that `alonePerHour` counts. Without this function all count. */
  countsAlone?(before: object | null, after: object): boolean;
  /** The procedure reads many rows: operators and partners share a few slots of the service. */
  readonly takesTurns?: true;
  /** Own capacity between the services; absent: the capacity of all other calls. */
  readonly bulkhead?: Bulkhead;
}
