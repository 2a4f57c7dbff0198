import type { SqlRunner } from '@rubrica/database';
import type { Clock, ServiceParts } from '@rubrica/process';
import { createHttpLiveness } from './liveness/http/http-liveness.ts';
import type { Liveness } from './liveness/liveness.ts';
import { createSandboxLiveness } from './liveness/sandbox.ts';
import { createOutsideMetrics } from './outside-metrics.ts';
import type { OutsideSettings } from './outside-settings.ts';
import type { OutsideOptions, OutsideSystem } from './outside-system.ts';
import { createHttpRegistries } from './registry/http/http-registries.ts';
import type { Registries } from './registry/registry.ts';
import { createSandboxRegistries } from './registry/sandbox.ts';

/** Less than validation gives a look-up, so that it is the adapter that ends it and knows why. */
const budgetMs = 9_000;

export interface OutsideDeps {
  readonly registries: Registries;
  readonly liveness: Liveness;
}
type Needs = Pick<ServiceParts, 'logger' | 'metrics' | 'runner'> & {
  readonly database: SqlRunner;
  readonly clock: Clock;
};

interface OutsideConfig {
  readonly sandbox: boolean;
  readonly timeZone: string;
  readonly baseUrl: string;
  readonly workers: number;
  readonly outside: OutsideSettings;
}

/** Registries and liveness: in process in the sandbox, else over HTTP. */
export async function connectOutside(config: OutsideConfig, needs: Needs): Promise<OutsideDeps> {
  return config.sandbox ? inProcess(config, needs) : overHttp(config, needs);
}

function inProcess({ timeZone, baseUrl }: OutsideConfig, { database, clock }: Needs): OutsideDeps {
  return {
    registries: createSandboxRegistries({ sql: database, clock, timeZone }),
    liveness: createSandboxLiveness({ clock, baseUrl }),
  };
}

async function overHttp(
  { outside, timeZone, workers }: OutsideConfig,
  { clock, ...parts }: Needs,
): Promise<OutsideDeps> {
  // A sandbox does without its HTTP client, which takes 4 MB.
  const { createOutsideSystem } = await import('./outside-system.ts');
  const common = {
    timeoutMs: outside.timeoutSeconds * 1_000,
    budgetMs,
    connections: workers,
    logger: parts.logger,
    metrics: createOutsideMetrics(parts.metrics),
  };
  const open = (name: OutsideOptions['name'], target: Target): OutsideSystem => {
    const system = createOutsideSystem({ ...common, ...given(name, target), name });
    parts.runner.own(name, system.close);
    return system;
  };
  const civil = open('civil-registry', outside.civilRegistry);
  const tax = open('tax-registry', outside.taxRegistry);
  const provider = open('liveness', outside.liveness);
  return {
    registries: createHttpRegistries({ civil, tax, clock, timeZone }),
    liveness: createHttpLiveness({ provider }),
  };
}

type Target = OutsideSettings['liveness'];

/** The configuration is refused where one is missing; this tells the compiler, and whoever builds one by hand. */
function given(name: string, { url, token }: Target): { baseUrl: string; token: string } {
  if (url === undefined || token === undefined) throw new Error(`${name} has no address or no token`);
  return { baseUrl: url, token };
}
