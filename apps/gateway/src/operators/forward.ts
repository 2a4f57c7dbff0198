import { type Bus, createBusClient } from '@rubrica/bus';
import {
  type OperatorPath,
  type OperatorProcedure,
  operatorProcedures,
} from '@rubrica/contracts/operators/procedures';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { SealedPurpose } from '@rubrica/contracts/shared/sealed-purposes';
import { AppError, type Keyring, outgoingHeaders, toAppError } from '@rubrica/process';
import type { AnyTRPCRouter } from '@trpc/server';
import type { OperatorContext } from './context.ts';

export interface ForwardDeps {
  readonly bus: Bus;
  readonly keyring: Pick<Keyring, 'signIdentity' | 'openText'>;
  readonly timeoutMs: number;
}

export type Forward = (path: OperatorPath, input: unknown, context: OperatorContext) => Promise<unknown>;

interface Callable {
  query(input: unknown, options: object): Promise<unknown>;
  mutate(input: unknown, options: object): Promise<unknown>;
}

/** Hands a call on to the service that answers it, in the operator's name, and opens what came back sealed to us. */
export function createForward({ bus, keyring, timeoutMs }: ForwardDeps): Forward {
  const clients = new Map<ServiceName, unknown>();
  const clientOf = (service: ServiceName): unknown => {
    const known = clients.get(service);
    if (known !== undefined) return known;
    const client = createBusClient<AnyTRPCRouter>(bus, { subjectPrefix: `ops.v1.${service}`, timeoutMs });
    clients.set(service, client);
    return client;
  };
  return async (path, input, { caller, signal }) => {
    const { kind, opens, ...procedure }: OperatorProcedure = operatorProcedures[path];
    const target = follow(clientOf(serviceOf(procedure, input)), path);
    const options = { signal, context: { headers: outgoingHeaders(keyring, caller) } };
    const call = kind === 'query' ? target.query(input, options) : target.mutate(input, options);
    const output = await call.catch((error: unknown) => {
      throw toAppError(error);
    });
    if (opens === undefined) return output;
    // What is shown once is sealed for the operator who asked.
    if (caller?.kind !== 'operator') throw new AppError({ code: 'FORBIDDEN' });
    return open(output as Record<string, unknown>, { opens, owner: caller.operatorId }, keyring);
  };
}

/** Where several services answer, the input says which; it has been checked against the table by then. */
function serviceOf({ service, servedBy }: Pick<OperatorProcedure, 'service' | 'servedBy'>, input: unknown) {
  return servedBy === undefined ? service : (input as Record<typeof servedBy, ServiceName>)[servedBy];
}

/** The client is a proxy: each member adds to its path. Paths come from the table, never from the caller. */
function follow(client: unknown, path: OperatorPath): Callable {
  return path.split('.').reduce((node, key) => (node as Record<string, unknown>)[key], client) as Callable;
}

async function open(
  output: Record<string, unknown>,
  { opens, owner }: { opens: Readonly<Record<string, SealedPurpose>>; owner: string },
  keyring: Pick<Keyring, 'openText'>,
): Promise<Record<string, unknown>> {
  const opened = await Promise.all(
    Object.entries(opens).map(async ([name, purpose]) => {
      const sealed = output[name];
      if (typeof sealed !== 'string') return [name, sealed] as const;
      return [name, await keyring.openText(sealed, { purpose, owner })] as const;
    }),
  );
  return { ...output, ...Object.fromEntries(opened) };
}
