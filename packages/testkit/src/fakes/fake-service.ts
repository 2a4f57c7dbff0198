import { type CallKind, toServiceSubject } from '@rubrica/contracts/services/subjects';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { createLogger } from '@rubrica/process/log';
import { createCallContext } from '@rubrica/process/trpc';
import { identifyFakeCaller } from './fake-tokens.ts';

interface FakeServiceOptions<Bus> {
  readonly service: ServiceName;
  readonly bus: Bus;
  readonly keyring: Parameters<typeof identifyFakeCaller>[1];
}

interface ServeOptions<Router> {
  readonly router: Router;
  readonly subjectPrefix: string;
  readonly callers: readonly ServiceName[];
  readonly queue: string;
  readonly createContext: ReturnType<typeof createCallContext>;
}

/** `serveRouter` of `@rubrica/bus`, whose own tests use testkit. */
type ServeRouter<Bus, Router> = (
  bus: Bus,
  options: ServeOptions<Router>,
) => Promise<{ stop(): Promise<void> }>;

/** Serves a fake on the bus where the service itself would answer. */
export async function serveFake<Bus, Router>(
  serveRouter: ServeRouter<Bus, Router>,
  { service, bus, keyring }: FakeServiceOptions<Bus>,
  { calls, operators }: { readonly calls: Router; readonly operators: Router },
): Promise<{ stop(): Promise<void> }> {
  const logger = createLogger({ service, level: 'silent', format: 'json' });
  const createContext = createCallContext(identifyFakeCaller(service, keyring), logger);
  const serve = (kind: CallKind, router: Router) =>
    serveRouter(bus, {
      router,
      subjectPrefix: toServiceSubject(kind, service),
      callers: services,
      queue: service,
      createContext,
    });
  const served = [await serve('rpc', calls), await serve('ops', operators)];
  return { stop: async () => void (await Promise.all(served.map((one) => one.stop()))) };
}

interface Handlers {
  readonly calls: object;
  readonly operators: object;
}

interface NamedHandlers<All extends Handlers> {
  readonly calls?: Partial<All['calls']>;
  readonly operators?: Partial<All['operators']>;
}

/**
 * Completes the handlers of a fake service, for `implement` of `@rubrica/wiring`. A call that the test does not name
 * fails.
 */
export function fakeHandlers<All extends Handlers>(named: NamedHandlers<NoInfer<All>>): All {
  const { calls = {}, operators = {} } = named;
  return { calls: withRefusals(calls), operators: withRefusals(operators) } as All;
}

function withRefusals(handlers: object): object {
  const refuse = () => {
    throw new Error('the fake does not answer this call');
  };
  return new Proxy(handlers, { get: (target, name) => Reflect.get(target, name) ?? refuse });
}
