import { type Bus, type BusClientOptions, serveRouter } from '@rubrica/bus';
import { askedAt, type CallKind, servedAt } from '@rubrica/contracts/services/subjects';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { createCallContext, createLogger, type Keyring, outgoingHeaders } from '@rubrica/process';
import type { Implemented } from './implement.ts';

export interface Played {
  readonly service: ServiceName;
  readonly bus: Bus;
  readonly keyring: Pick<Keyring, 'verifyIdentity'>;
}

/** Serves what a test plays of a service, where the service itself would answer. */
export async function servePart(
  { service, bus, keyring }: Played,
  { calls, operators }: Implemented,
): Promise<{ stop(): Promise<void> }> {
  const logger = createLogger({ service, level: 'silent', format: 'json' });
  const createContext = createCallContext(keyring, logger);
  const serve = (kind: CallKind, router: Implemented['calls']) =>
    serveRouter(bus, {
      router,
      subjectPrefix: servedAt(kind, service),
      namesCaller: true,
      queue: service,
      createContext,
    });
  const served = [await serve('rpc', calls), await serve('ops', operators)];
  return { stop: async () => void (await Promise.all(served.map((one) => one.stop()))) };
}

export interface PlayedCaller {
  readonly self: ServiceName;
  readonly keyring: Pick<Keyring, 'signIdentity'>;
  /** For whom the calls are made; the service itself without it. */
  readonly caller?: Caller | undefined;
}

/** For the client of a test that calls a service as another one does. */
export function callsOf(
  kind: CallKind,
  service: ServiceName,
  { self, keyring, caller = { kind: 'service', name: self } }: PlayedCaller,
): BusClientOptions {
  return {
    subjectPrefix: askedAt(kind, service, self),
    timeoutMs: 10_000,
    headers: () => outgoingHeaders(keyring, caller),
  };
}
