import { type CallKind, toCallSubject } from '@rubrica/contracts/services/subjects';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { outgoingHeaders } from '@rubrica/process/trpc';
import { type FakeTokenKeys, signFakeToken } from './fake-tokens.ts';

interface FakeClientOptions {
  readonly self: ServiceName;
  readonly keys: FakeTokenKeys;
  /** Caller for whom the calls are made; the service itself by default. A function is called for each call. */
  readonly caller?: Caller | (() => Promise<Caller>) | undefined;
}

/** `createBusClient` of `@rubrica/bus`, whose own tests use testkit. */
type CreateClient<Bus, Client> = (
  bus: Bus,
  options: { readonly subjectPrefix: string; readonly timeoutMs: number },
) => Client;

/** Creates a client that calls a service as another service does. */
export function fakeClient<Bus, Client>(
  createClient: CreateClient<Bus, Client>,
  bus: Bus,
  [kind, service]: readonly [CallKind, ServiceName],
  { self, keys, caller }: FakeClientOptions,
): Client {
  const client = createClient(bus, { subjectPrefix: toCallSubject(kind, service, self), timeoutMs: 10_000 });
  const createHeaders = async () => {
    const who = typeof caller === 'function' ? await caller() : caller;
    return outgoingHeaders(who && (await signFakeToken(who, { self, receiver: service, keys })));
  };
  return withHeaders(client, createHeaders) as Client;
}

type Send = (
  input: unknown,
  options?: { readonly context?: { readonly headers?: object } },
) => Promise<unknown>;

/** Wraps a client so that each call waits for its headers. */
function withHeaders(node: unknown, createHeaders: () => Promise<object>): unknown {
  return new Proxy(node as Send, {
    get: (target, key) => {
      const child = Reflect.get(target, key) as unknown;
      return child === undefined ? undefined : withHeaders(child, createHeaders);
    },
    apply: async (target, _self, [input, options]: Parameters<Send>) => {
      const headers = { ...(await createHeaders()), ...options?.context?.headers };
      return target(input, { ...options, context: { ...options?.context, headers } });
    },
  });
}
