import { type Bus, createBusClient } from '@rubrica/bus';
import { serviceOfApproval } from '@rubrica/contracts/operators/approvals';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { askedAt } from '@rubrica/contracts/services/subjects';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { type OperatorCaller, outgoingHeaders } from '@rubrica/process';
import type { AnyTRPCRouter } from '@trpc/server';
import { createOwnerPlaces } from '../shares/index.ts';
import { procedureOf } from './procedure-of.ts';
import { type Prove, proofOf } from './prove.ts';
import { createWithinBulkhead } from './within-bulkhead.ts';

export interface OperatorCallsOptions {
  readonly bus: Bus;
  readonly prove: Prove;
  readonly timeoutMs: number;
}

/**
 * Asks the service that answers a procedure of operators, in the operator's name.
 * @param input as the procedure's row has it
 * @returns what the service has checked against the row
 * @throws AppError
 */
export type AskForOperator = (
  path: OperatorPath,
  input: unknown,
  options: {
    readonly for: OperatorCaller & { readonly sealedToken?: string };
    readonly signal?: AbortSignal;
    /** For a procedure that several services answer, each for itself. */
    readonly at?: ServiceName;
  },
) => Promise<unknown>;

/** Calls of one operator under way: what a page and a batch ask at once. */
const placesOfOperator = 48;

/** As `createPeers`, for what operators ask: the rows are procedures of operators, and the gateway is the only caller. */
export function createOperatorCalls({ bus, prove, timeoutMs }: OperatorCallsOptions): AskForOperator {
  const clients = Object.fromEntries(
    services.map((service) => [
      service,
      createBusClient<AnyTRPCRouter>(bus, { subjectPrefix: askedAt('ops', service, 'gateway'), timeoutMs }),
    ]),
  );
  const withinBulkhead = createWithinBulkhead();
  const places = createOwnerPlaces(placesOfOperator);
  return async (path, input, { for: caller, at, ...options }) => {
    const row: OperatorProcedure = operatorProcedures[path];
    const service = at ?? serviceOf(row, input);
    const send = procedureOf(clients[service], path, row.kind);
    const ask = () =>
      withinBulkhead(row.bulkhead, async () => {
        const headers = outgoingHeaders(await proofOf(caller, service, prove));
        return send(input, { ...options, context: { headers } });
      });
    return places.run(caller.operatorId, ask, options);
  };
}

/** Where several services answer, the input says which; where each does, the caller. */
function serviceOf({ service, servedBy }: OperatorProcedure, input: unknown): ServiceName {
  const named = input as { readonly service: ServiceName; readonly id: string };
  if (servedBy === 'service') return named.service;
  return servedBy === 'id' ? serviceOfApproval(named.id) : service;
}
