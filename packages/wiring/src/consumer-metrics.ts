import { askApi, type Bus } from '@rubrica/bus';
import { type ConsumerDefinition, consumers } from '@rubrica/contracts/messages/messages';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { type Metrics, metric } from '@rubrica/process/metrics';

interface ConsumerInfo {
  readonly num_pending: number;
  readonly num_ack_pending: number;
}

/** Exposes the lag of the service's consumers, as JetStream reports it at each scrape; equal from every copy. */
export function exposeConsumers(name: ServiceName, bus: Bus, metrics: Pick<Metrics, 'gauge'>): void {
  const own = Object.values<ConsumerDefinition>(consumers).filter(({ owner }) => owner === name);
  if (own.length === 0) return;
  const exposeField = (
    name: 'rubrica_consumer_unacknowledged_messages' | 'rubrica_consumer_lag',
    field: keyof ConsumerInfo,
  ) =>
    metrics.gauge({
      ...metric(name),
      async collect(gauge) {
        gauge.clear();
        await Promise.all(
          own.map(async ({ stream, durable }) => {
            const subject = `${bus.apiPrefix}.CONSUMER.INFO.${stream}.${durable}`;
            const info = await askApi<ConsumerInfo>(bus, subject, {});
            if (info !== undefined) gauge.set({ stream, consumer: durable }, info[field]);
          }),
        );
      },
    });
  exposeField('rubrica_consumer_unacknowledged_messages', 'num_ack_pending');
  exposeField('rubrica_consumer_lag', 'num_pending');
}
