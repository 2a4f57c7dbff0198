import { type Bus, createPublisher } from '@rubrica/bus';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database/connection';
import { createRelay, createRelayMetrics } from '@rubrica/database/relay';
import { purgeOutbox, type SweeperTask } from '@rubrica/database/sweeper';
import type { Keyring } from '@rubrica/process/keyring';
import type { ServiceParts } from '@rubrica/process/runner';
import { signMessage } from '../message-statement.ts';
import { startRebuild } from './start-rebuild.ts';
import { startSweeper } from './start-sweeper.ts';

export interface OutboxOptions {
  readonly service: ServiceName;
  readonly streams: Bus;
  readonly database: Database;
  /** Keyring that signs each message, if the receiver requires it. */
  readonly signs?: Pick<Keyring, 'signStatement'>;
  /** Tasks in addition to purging the outbox. */
  readonly tasks: readonly SweeperTask[];
  readonly sweepIntervalMs?: number;
}

/** Starts what wakes the workers: the relay of the outbox to JetStream, and the sweep of due rows. */
export function startOutbox(
  options: OutboxOptions,
  { logger, metrics, health, runner }: Pick<ServiceParts, 'logger' | 'metrics' | 'health' | 'runner'>,
): void {
  const { service, streams, database, signs } = options;
  const { publish } = createPublisher(streams);
  const relay = createRelay({
    databaseUrl: database.directUrl,
    database,
    publish(message) {
      const data = message.data as object;
      if (signs === undefined) return publish({ ...message, data });
      return publish({ ...message, ...signMessage(signs, { ...message, data }) });
    },
    logger,
    metrics: createRelayMetrics(metrics),
  });
  runner.own('relay', relay.stop);
  relay.start();
  health.addWarning('relay', () => (relay.hasOwner() ? undefined : 'no copy publishes the outbox'));
  startRebuild({ service, streams, database, onRebuilt: relay.nudge }, { logger, runner });
  startSweeper(
    {
      database,
      tasks: [...options.tasks, purgeOutbox()],
      onEmitted: relay.nudge,
      ...(options.sweepIntervalMs === undefined ? {} : { intervalMs: options.sweepIntervalMs }),
    },
    { logger, runner },
  );
}
