import { type Bus, createBusClient } from '@rubrica/bus';
import { parseApprovalService } from '@rubrica/contracts/operators/approvals';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { toCallSubject } from '@rubrica/contracts/services/subjects';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { type OperatorCaller, outgoingHeaders } from '@rubrica/process/trpc';
import type { AnyTRPCRouter } from '@trpc/server';
import { createOwnerSlots } from '../shares/index.ts';
import { findProcedure } from './find-procedure.ts';
import { createCallProof, type Prove } from './prove.ts';
import { createWithinBulkhead } from './within-bulkhead.ts';

export interface OperatorCallsOptions {
  readonly bus: Bus;
  readonly prove: Prove;
  readonly timeoutMs: number;
}

/**
 * Calls the service that answers a procedure of operators, in the operator's name.
 * @param input as the procedure's row defines it
 * @returns output that the service has checked against the row
 * @throws AppError
 */
export type AskForOperator = (
  path: OperatorPath,
  input: unknown,
  options: {
    readonly for: OperatorCaller & { readonly sealedToken?: string };
    readonly signal?: AbortSignal;
    /** Service to call, for a procedure that several services answer, each for itself. */
    readonly at?: ServiceName;
  },
) => Promise<unknown>;

/** Concurrent calls of one operator: as many as a page and a batch make at once. */
const slotsPerOperator = 48;

/** Creates the client for operators' procedures, similar to `createPeers`: the gateway is the only caller. */
export function createOperatorCalls({ bus, prove, timeoutMs }: OperatorCallsOptions): AskForOperator {
  const clients = Object.fromEntries(
    services.map((service) => [
      service,
      createBusClient<AnyTRPCRouter>(bus, {
        subjectPrefix: toCallSubject('ops', service, 'gateway'),
        timeoutMs,
      }),
    ]),
  );
  const withinBulkhead = createWithinBulkhead();
  const places = createOwnerSlots(slotsPerOperator);
  return async (path, input, { for: caller, at, ...options }) => {
    const row: OperatorProcedure = operatorProcedures[path];
    const service = at ?? selectService(row, input);
    const send = findProcedure(clients[service], path, row.kind);
    const ask = () =>
      withinBulkhead(row.bulkhead, async () => {
        const headers = outgoingHeaders(await createCallProof(caller, service, prove));
        return send(input, { ...options, context: { headers } });
      });
    return places.run(caller.operatorId, ask, options);
  };
}

/** Selects the service: by the input if it names one, by the caller if each service answers. */
function selectService({ service, servedBy }: OperatorProcedure, input: unknown): ServiceName {
  const named = input as { readonly service: ServiceName; readonly id: string };
  if (servedBy === 'service') return named.service;
  return servedBy === 'id' ? parseApprovalService(named.id) : service;
}
