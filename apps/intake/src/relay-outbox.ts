import { type Bus, createPublisher } from '@rubrica/bus';
import { createRelay, createSweeper, type Database } from '@rubrica/database';
import type { ServiceParts } from '@rubrica/service';
import { sweeperTasks } from './sweep/tasks.ts';

/** What wakes the workers: the outbox on its way to JetStream, and the sweep of whatever got stuck. */
export const startRelayAndSweeper = async (
  databaseUrl: string,
  connections: { bus: Bus; database: Database },
  { logger, runner }: ServiceParts,
): Promise<void> => {
  const { bus, database } = connections;
  const { publish } = createPublisher(bus);
  const relay = createRelay({
    databaseUrl,
    database,
    publish: (message) => publish({ ...message, data: message.data as object }),
    logger,
  });
  runner.own('relay', () => relay.stop());
  await relay.start();
  const sweeper = createSweeper({ database, tasks: sweeperTasks, logger, onEmitted: () => relay.nudge() });
  runner.own('sweeper', () => sweeper.stop());
  sweeper.start();
};
