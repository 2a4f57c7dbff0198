import type { SqlRunner } from '@rubrica/database/connection';
import type { ServiceParts } from '@rubrica/process/runner';
import type { Clock } from '@rubrica/process/time';
import { createHttpLiveness } from './liveness/http/http-liveness.ts';
import type { Liveness } from './liveness/liveness.ts';
import { createSandboxLiveness } from './liveness/sandbox.ts';
import { createOutsideMetrics } from './outside-metrics.ts';
import type { OutsideSettings } from './outside-settings.ts';
import type { OutsideOptions, OutsideSystem } from './outside-system.ts';
import { createHttpRegistries } from './registry/http/http-registries.ts';
import type { Registries } from './registry/registry.ts';
import { createSandboxRegistries } from './registry/sandbox.ts';

/**
 * Budget of a call. It is less than validation allows, so that the adapter ends the call and knows the
 * reason.
 */
const budgetMs = 9_000;

export interface OutsideDeps {
  readonly registries: Registries;
  readonly liveness: Liveness;
}
type ConnectDeps = Pick<ServiceParts, 'logger' | 'metrics' | 'runner'> & {
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

/** Connects registries and liveness: in process in the sandbox, else over HTTP. */
export async function connectOutside(config: OutsideConfig, deps: ConnectDeps): Promise<OutsideDeps> {
  return config.sandbox ? createInProcess(config, deps) : connectOverHttp(config, deps);
}

function createInProcess(
  { timeZone, baseUrl }: OutsideConfig,
  { database, clock }: ConnectDeps,
): OutsideDeps {
  return {
    registries: createSandboxRegistries({ sql: database, clock, timeZone }),
    liveness: createSandboxLiveness({ clock, baseUrl }),
  };
}

async function connectOverHttp(
  { outside, timeZone, workers }: OutsideConfig,
  { clock, ...parts }: ConnectDeps,
): Promise<OutsideDeps> {
  // Imported here: a sandbox does without its HTTP client, which takes 4 MB.
  const { createOutsideSystem } = await import('./outside-system.ts');
  const common = {
    timeoutMs: outside.timeoutSeconds * 1_000,
    budgetMs,
    connections: workers,
    logger: parts.logger,
    metrics: createOutsideMetrics(parts.metrics),
  };
  const open = (name: OutsideOptions['name'], target: Target): OutsideSystem => {
    const system = createOutsideSystem({ ...common, ...requireTarget(name, target), name });
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

/**
 * Narrows the type of a target. A configuration without address or token was refused before, unless it is
 * built by hand.
 */
function requireTarget(name: string, { url, token }: Target): { baseUrl: string; token: string } {
  if (url === undefined || token === undefined) throw new Error(`${name} has no address or no token`);
  return { baseUrl: url, token };
}
