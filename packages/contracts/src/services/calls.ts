import type { ServiceName } from '../shared/enumerations.ts';
import { generationCalls } from './generation.ts';
import { intakeCalls } from './intake.ts';
import { notifierCalls } from './notifier.ts';
import { termsCalls } from './terms.ts';

/**
 * Every call between services, by the service that answers and by name. Guards, schemas, clients, the rights on the
 * bus and the tables of the READMEs are made of these rows; from a name one search leads to its row, its code
 * (`router.ts` of the service) and its callers.
 */
export const serviceCalls = {
  gateway: {},
  intake: intakeCalls,
  generation: generationCalls,
  terms: termsCalls,
  notifier: notifierCalls,
} as const satisfies Record<ServiceName, object>;

export type ServiceCalls = typeof serviceCalls;
/** The calls that `Service` answers. */
export type CallName<Service extends ServiceName> = keyof ServiceCalls[Service] & string;
/** Those of them that `Caller` may make. */
export type CallableBy<Caller extends ServiceName, Service extends ServiceName> = {
  [Name in CallName<Service>]: Caller extends CallersOf<ServiceCalls[Service][Name]> ? Name : never;
}[CallName<Service>];

type CallersOf<Row> = Row extends { readonly callers: readonly (infer Name)[] } ? Name : never;
