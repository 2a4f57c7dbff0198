import type { Metrics } from '@rubrica/process';
import type { ApplicantMessageRecord, QueueShare } from './applicant-messages/applicant-message.store.ts';
import type { AttemptRecord } from './deliveries/delivery.store.ts';
import type { NoticeRecord } from './destination-notices/notice.store.ts';

const ageBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600, 21_600, 86_400];

/** What waits since when, for `rubrica_due_oldest_seconds`; of a long queue part, since all of it is due. */
export const dueQueues = {
  webhooks: `select min(due_at) as at from (
    select due_at from delivery where state = 'PENDING' limit 10000
  ) as one`,
  messages: "select min(due_at) as at from message where state = 'PENDING'",
  notices: "select min(due_at) as at from notice where state = 'PENDING'",
} as const;

export interface NotifierMetrics {
  attempted(record: AttemptRecord): void;
  messaged(record: ApplicantMessageRecord, channel: QueueShare['channel']): void;
  noticed(record: NoticeRecord): void;
  disabled(): void;
}

export function createNotifierMetrics(
  metrics: Metrics,
  { inHand, resting }: { inHand: () => number; resting: () => number },
): NotifierMetrics {
  const attempts = metrics.counter({
    name: 'rubrica_webhook_attempts_total',
    help: 'Webhook attempts by outcome and by the state they left the delivery in',
    labels: ['outcome', 'state'],
  });
  const durations = metrics.histogram({
    name: 'rubrica_webhook_attempt_duration_seconds',
    help: 'Time of one attempt, from signing to the end of the answer',
    labels: ['outcome'],
  });
  const ages = metrics.histogram({
    name: 'rubrica_event_to_delivery_seconds',
    help: 'From an event until its receiver acknowledged it, by whether the first attempt of a round did it',
    labels: ['attempt'],
    buckets: ageBuckets,
    exemplars: true,
  });
  const messages = metrics.counter({
    name: 'rubrica_message_attempts_total',
    help: 'Attempts to hand a message to the mail server or the SMS provider, by channel and outcome',
    labels: ['channel', 'outcome'],
  });
  const notices = metrics.counter({
    name: 'rubrica_notice_attempts_total',
    help: 'Attempts to hand a notice about a destination to the mail server, by kind and outcome',
    labels: ['kind', 'outcome'],
  });
  const disabled = metrics.counter({
    name: 'rubrica_webhook_destinations_disabled_total',
    help: 'Destinations disabled after days of nothing but failures',
  });
  metrics.gauge({
    name: 'rubrica_webhook_in_hand',
    help: 'Deliveries under way or waiting for their turn in this copy',
    collect: (gauge) => gauge.set(inHand()),
  });
  metrics.gauge({
    name: 'rubrica_webhook_destinations_resting',
    help: 'Destinations that do not answer and get one probe at a time from this copy',
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
