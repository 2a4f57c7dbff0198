import type { ServiceName } from '../shared/enumerations.ts';
import { generationCalls } from './generation.ts';
import { intakeCalls } from './intake.ts';
import { notifierCalls } from './notifier.ts';
import { termsCalls } from './terms.ts';

/**
 * Every call between services, by the answering service and by name. Guards, schemas, clients and the rights on the bus
 * derive from these rows. A search for the name finds its row, its code (`router.ts` of the service) and its callers.
 */
export const serviceCalls = {
  gateway: {},
  intake: intakeCalls,
  generation: generationCalls,
  terms: termsCalls,
  notifier: notifierCalls,
} as const satisfies Record<ServiceName, object>;

export type ServiceCalls = typeof serviceCalls;
/** Names of the calls that `Service` answers. */
export type CallName<Service extends ServiceName> = keyof ServiceCalls[Service] & string;
/** Names of the calls of `Service` that `Caller` may make. */
export type CallableBy<Caller extends ServiceName, Service extends ServiceName> = {
  [Name in CallName<Service>]: Caller extends RowCallers<ServiceCalls[Service][Name]> ? Name : never;
}[CallName<Service>];

type RowCallers<Row> = Row extends { readonly callers: readonly (infer Name)[] } ? Name : never;
