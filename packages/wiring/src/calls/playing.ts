import { type Bus, createBusClient, serveRouter } from '@rubrica/bus';
import { askedAt, type CallKind, servedAt } from '@rubrica/contracts/services/subjects';
import type { Caller } from '@rubrica/contracts/shared/caller';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { createCallContext, createLogger, outgoingHeaders } from '@rubrica/process';
import type { AnyTRPCRouter } from '@trpc/server';
import type { Implemented } from './implement.ts';
import { identifyAs, type ProvingKeys, proofFor } from './playing-tokens.ts';

export interface Played {
  readonly service: ServiceName;
  readonly bus: Bus;
  readonly keyring: Parameters<typeof identifyAs>[1];
}

/** Serves what a test plays of a service, where the service itself would answer. */
export async function servePart(
  { service, bus, keyring }: Played,
  { calls, operators }: Implemented,
): Promise<{ stop(): Promise<void> }> {
  const logger = createLogger({ service, level: 'silent', format: 'json' });
  const createContext = createCallContext(identifyAs(service, keyring), logger);
  const serve = (kind: CallKind, router: Implemented['calls']) =>
    serveRouter(bus, {
      router,
      subjectPrefix: servedAt(kind, service),
      callers: services,
      queue: service,
      createContext,
    });
  const served = [await serve('rpc', calls), await serve('ops', operators)];
  return { stop: async () => void (await Promise.all(served.map((one) => one.stop()))) };
}

export interface PlayedCaller {
  readonly self: ServiceName;
  readonly keys: ProvingKeys;
  /** For whom the calls are made; the service itself without it. Asked again for each call where it is a function. */
  readonly caller?: Caller | (() => Promise<Caller>) | undefined;
}

/** The client of a test that calls a service as another one does. */
export function clientOf<Router extends AnyTRPCRouter>(
  bus: Bus,
  [kind, service]: readonly [CallKind, ServiceName],
  { self, keys, caller }: PlayedCaller,
): ReturnType<typeof createBusClient<Router>> {
  const client = createBusClient<Router>(bus, {
    subjectPrefix: askedAt(kind, service, self),
    timeoutMs: 10_000,
  });
  const prove = async () => {
    const who = typeof caller === 'function' ? await caller() : caller;
    return outgoingHeaders(who && (await proofFor(who, { self, receiver: service, keys })));
  };
  return proving(client, prove) as typeof client;
}

type Send = (
  input: unknown,
  options?: { readonly context?: { readonly headers?: object } },
) => Promise<unknown>;

/** The same client, whose calls wait for what they are proven with. */
function proving(node: unknown, prove: () => Promise<object>): unknown {
  return new Proxy(node as Send, {
    get: (target, key) => {
      const child = Reflect.get(target, key) as unknown;
      return child === undefined ? undefined : proving(child, prove);
    },
    apply: async (target, _self, [input, options]: Parameters<Send>) => {
      const headers = { ...(await prove()), ...options?.context?.headers };
      return target(input, { ...options, context: { ...options?.context, headers } });
    },
  });
}
