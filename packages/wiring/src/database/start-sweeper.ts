import { createSweeper, type SweeperOptions } from '@rubrica/database';
import type { ServiceParts } from '@rubrica/process';

/** The sweep of whatever stands still, for as long as the service lives. */
export function startSweeper(
  options: Omit<SweeperOptions, 'logger'>,
  { logger, runner }: Pick<ServiceParts, 'logger' | 'runner'>,
): void {
  const sweeper = createSweeper({ ...options, logger });
  runner.own('sweeper', sweeper.stop);
  sweeper.start();
}
