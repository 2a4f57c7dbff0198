import { type Metrics, metric } from '@rubrica/process';
import type { ApplicantMessageRecord, QueueScope } from './applicant-messages/applicant-message.store.ts';
import type { AttemptRecord } from './deliveries/delivery.store.ts';
import type { NoticeRecord } from './destination-notices/notice.store.ts';

const ageBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600, 21_600, 86_400];

/** Queries for `rubrica_due_oldest_seconds`; a long queue is sampled, because all of it is due. */
export const dueQueues = {
  webhooks: `select min(due_at) as at from (
    select due_at from delivery where state = 'PENDING' limit 10000
  ) as one`,
  messages: "select min(due_at) as at from message where state = 'PENDING'",
  notices: "select min(due_at) as at from notice where state = 'PENDING'",
} as const;

export interface NotifierMetrics {
  attempted(record: AttemptRecord): void;
  messaged(record: ApplicantMessageRecord, channel: QueueScope['channel']): void;
  noticed(record: NoticeRecord): void;
  disabled(): void;
}

export function createNotifierMetrics(
  metrics: Metrics,
  { inHand, resting }: { inHand: () => number; resting: () => number },
): NotifierMetrics {
  const attempts = metrics.counter(metric('rubrica_webhook_attempts_total'));
  const durations = metrics.histogram(metric('rubrica_webhook_attempt_duration_seconds'));
  const ages = metrics.histogram({
    ...metric('rubrica_event_to_delivery_seconds'),
    buckets: ageBuckets,
    exemplars: true,
  });
  const messages = metrics.counter(metric('rubrica_message_attempts_total'));
  const notices = metrics.counter(metric('rubrica_notice_attempts_total'));
  const disabled = metrics.counter(metric('rubrica_webhook_destinations_disabled_total'));
  metrics.gauge({
    ...metric('rubrica_webhook_in_hand'),
    collect: (gauge) => gauge.set(inHand()),
  });
  metrics.gauge({
    ...metric('rubrica_webhook_destinations_resting'),
    collect: (gauge) => gauge.set(resting()),
  });
  return {
    attempted({ outcome, state, durationMs, delivered }) {
      attempts.inc({ outcome, state });
      durations.observe({ outcome }, durationMs / 1_000);
      if (delivered) ages.observe({ attempt: delivered.attempt }, delivered.seconds);
    },
    messaged: ({ outcome }, channel) => messages.inc({ channel, outcome }),
    noticed: ({ kind, outcome }) => notices.inc({ kind, outcome }),
    disabled: () => disabled.inc(),
  };
}
