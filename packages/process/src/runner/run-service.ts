import type { z } from 'zod';
import type { ServiceSettings } from '../config/fragments.ts';
import { ConfigError } from '../config/load-config.ts';
import { describeUnknownSettings } from '../config/unknown-settings.ts';
import { createLogger, type Logger } from '../log/logger.ts';
import { createHealth, type Health } from '../management/health.ts';
import { startManagementServer } from '../management/management-server.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { watchEventLoop } from '../metrics/process-metrics.ts';
import { release } from '../release.ts';
import { createMeasuredClock, type MeasuredClock } from '../time/measured-clock.ts';
import { startTracing } from '../tracing/start-tracing.ts';
import { createRunner, type Runner } from './runner.ts';

export type ServiceParts = {
  logger: Logger;
  metrics: Metrics;
  health: Health;
  runner: Runner;
  /** Clock for tokens; it answers nothing until the service lets it follow a reference. */
  clock: MeasuredClock;
};

export type BuiltService = {
  /** Starts to accept work; the service is ready once it resolves. */
  start?: () => Promise<unknown>;
  /** Stops services that stop as a whole; registered last, so it runs before every `runner.own`. */
  stop?: () => Promise<unknown>;
};

export type RunServiceOptions<Config extends ServiceSettings> = {
  name: string;
  /** Schema of the settings: similar names in the environment that are not settings cause a warning. */
  settings: z.ZodObject;
  /** Names of the checks of `/readyz`, so that it lists them from the first moment. */
  checks: readonly string[];
  /** Reads the environment; may throw a `ConfigError`. */
  config: () => Config;
  build: (
    config: Config,
    parts: ServiceParts,
  ) => Promise<BuiltService | undefined> | BuiltService | undefined;
};

/** sysexits.h EX_CONFIG: tells a supervisor that a restart will not help. */
const exitConfig = 78;

/**
 * Runs a service process: configuration, log, metrics, health and readiness, then the service itself, until SIGTERM or
 * SIGINT stops it in order. Exits 0 after a clean stop, 1 if the start, a cleanup or anything unexpected failed, 78 if
 * the configuration is invalid.
 */
export async function runService<Config extends ServiceSettings>({
  name,
  settings,
  checks,
  config: readConfig,
  build,
}: RunServiceOptions<Config>): Promise<void> {
  const config = readOrExit(readConfig);
  const logger = createLogger({ service: name, revision: config.revision, ...config.log });
  crashOnUnexpected(logger);
  for (const fault of describeUnknownSettings(settings, Object.keys(process.env))) logger.warn({}, fault);
  const runner = createRunner({
    logger,
    stopTimeoutMs: config.shutdownTimeoutSeconds * 1000,
    drainDelayMs: config.drainDelaySeconds * 1000,
  });
  stopOnSignals(runner, logger);
  try {
    const parts = await startParts({ name, checks, config, logger, runner });
    const service = await build(config, parts);
    if (service?.stop) runner.own(name, service.stop);
    await service?.start?.();
    if (runner.stopping.aborted) return;
    collectStartGarbage();
    runner.markReady();
    logger.info({}, 'ready');
  } catch (error) {
    // A stop during the start makes the rest of the start fail: the stop decides the exit code.
    if (runner.stopping.aborted) return;
    logger.fatal({ err: error }, 'service start failed');
    await runner.stop('start failed');
    process.exit(1);
  }
}

/**
 * Collects the garbage of the start, a third of the heap. V8 collects it only once the heap has grown to several times
 * that size, or after minutes without work. At this moment no caller waits for an answer.
 */
function collectStartGarbage(): void {
  // Present if Node was started with --expose-gc.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

function readOrExit<Config>(readConfig: () => Config): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Plain text, not a log line: a person at the terminal reads it, and no log level is known yet.
    process.stderr.write(`${error.message}\n`);
    process.exit(exitConfig);
  }
}

async function startParts(options: {
  name: string;
  checks: readonly string[];
  config: ServiceSettings;
  logger: Logger;
  runner: Runner;
}): Promise<ServiceParts> {
  const { name, checks, config, logger, runner } = options;
  const tracing = await startTracing({
    service: name,
    version: release,
    endpoint: config.tracing.otlpEndpoint,
    sampling: config.tracing,
    logger,
  });
  runner.own('tracing', tracing.stop, { timeoutMs: 3_000 });
  const metrics = createMetrics({ service: name, revision: config.revision });
  const unwatch = watchEventLoop(metrics);
  runner.own('event loop', async () => unwatch());
  const health = createHealth({ isReady: runner.isReady, checks });
  // Owned first, so stopped last: until the end it reports why the service is not ready.
  const management = await startManagementServer({ ...config.management, health, metrics });
  runner.own('management', management.stop);
  logger.info({ host: config.management.host, port: management.port }, 'management server started');
  return { logger, metrics, health, runner, clock: createMeasuredClock({ logger }) };
}

function stopOnSignals(runner: Runner, logger: Logger): void {
  const onSignal = (signal: NodeJS.Signals): void => {
    // Ctrl-C reaches a whole group and its parent then signals again: a second signal must not abort the stop. It ends
    // the drain.
    if (runner.stopping.aborted) {
      logger.info({ signal }, 'already stopping');
      return;
    }
    void runner.stop(signal).then(({ faults }) => process.exit(faults.length === 0 ? 0 : 1));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** State after an unexpected error is unknown. Everything durable is in the database, so ending the process is safe. */
function crashOnUnexpected(logger: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, reason: origin }, 'unexpected error');
    process.exit(1);
  });
}
