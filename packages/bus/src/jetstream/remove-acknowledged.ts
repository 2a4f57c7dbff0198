import { RetentionPolicy } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { askApi } from './api.ts';
import { openManager } from './streams.ts';

/**
 * Removes messages that a work queue still holds although its consumer acknowledged them. If nats-server 2.9 is killed,
 * it may keep the consumer's acknowledgements and forget the removals. Such messages are never delivered again, yet
 * they fill a queue that refuses new messages when it is full.
 * @returns number of removed messages
 */
export async function removeAcknowledged(
  bus: Bus,
  consumer: { readonly stream: string; readonly durable: string },
): Promise<number> {
  const { stream, durable } = consumer;
  const manager = await openManager(bus);
  const { config } = await manager.streams.info(stream);
  if (config.retention !== RetentionPolicy.Workqueue) throw new TypeError(`${stream} is no work queue`);
  const { ack_floor, config: of } = await manager.consumers.info(stream, durable);
  // Everything up to the floor is acknowledged; the floor does not apply to other consumers' subjects.
  const filter = of.filter_subject === undefined ? {} : { filter: of.filter_subject };
  const body = { seq: ack_floor.stream_seq + 1, ...filter };
  const answer = await askApi<{ purged?: number }>(bus, `${bus.apiPrefix}.STREAM.PURGE.${stream}`, body);
  return answer?.purged ?? 0;
}
