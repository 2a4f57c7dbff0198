import { createSweeper, type SweeperOptions } from '@rubrica/database/sweeper';
import type { ServiceParts } from '@rubrica/process/runner';

/** Starts the sweep of due rows, for the life of the service. */
export function startSweeper(
  options: Omit<SweeperOptions, 'logger'>,
  { logger, runner }: Pick<ServiceParts, 'logger' | 'runner'>,
): void {
  const sweeper = createSweeper({ ...options, logger });
  runner.own('sweeper', sweeper.stop);
  sweeper.start();
}
