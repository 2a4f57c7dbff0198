import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { ServiceSettings } from '@rubrica/process/config';
import { createLogger } from '@rubrica/process/log';
import { createHealth } from '@rubrica/process/management';
import { createMetrics } from '@rubrica/process/metrics';
import { type BuiltService, createRunner, type ServiceParts } from '@rubrica/process/runner';
import { createMeasuredClock } from '@rubrica/process/time';

export interface RunningTestService extends AsyncDisposable {
  readonly parts: ServiceParts;
  /** Stops in order, as on SIGTERM; throws if a cleanup failed. */
  stop(): Promise<void>;
}

/** Runs a service's `buildService` in this process, as `runService` would in its own. */
export async function startTestService<Config extends ServiceSettings>(options: {
  name: ServiceName;
  config: Config;
  build(config: Config, parts: ServiceParts): Promise<BuiltService | undefined> | BuiltService | undefined;
}): Promise<RunningTestService> {
  const { name, config, build } = options;
  const logger = createLogger({ service: name, ...config.log });
  const runner = createRunner({ logger, stopTimeoutMs: 15_000 });
  const health = createHealth({ isReady: runner.isReady });
  const parts: ServiceParts = {
    logger,
    runner,
    health,
    metrics: createMetrics({ service: name }),
    clock: createMeasuredClock({ logger }),
  };
  const stop = async () => {
    const { faults } = await runner.stop('end of test');
    if (faults.length > 0) throw new Error(`${name} did not stop cleanly: ${JSON.stringify(faults)}`);
  };
  try {
    const service = await build(config, parts);
    if (service?.stop) runner.own(name, service.stop);
    await service?.start?.();
  } catch (error) {
    await runner.stop('start failed');
    throw error;
  }
  runner.markReady();
  return { parts, stop, [Symbol.asyncDispose]: stop };
}
