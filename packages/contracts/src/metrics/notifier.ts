import type { MetricRows } from './metric-row.ts';

export const notifierMetrics = {
  rubrica_webhook_attempts_total: {
    type: 'counter',
    unit: 'attempts',
    labels: ['outcome', 'state'],
    help: 'Webhook attempts by outcome and resulting state of the delivery',
    services: ['notifier'],
  },
  rubrica_webhook_attempt_duration_seconds: {
    type: 'histogram',
    unit: 'seconds',
    labels: ['outcome'],
    help: 'Time of an attempt, from signing to the end of the answer',
    services: ['notifier'],
  },
  rubrica_event_to_delivery_seconds: {
    type: 'histogram',
    unit: 'seconds',
    labels: ['attempt'],
    help: 'Time from an event to its acknowledgement, by whether the first attempt of a series succeeded',
    services: ['notifier'],
  },
  rubrica_message_attempts_total: {
    type: 'counter',
    unit: 'attempts',
    labels: ['channel', 'outcome'],
    help: 'Attempts to hand a message to the mail server or SMS provider',
    services: ['notifier'],
  },
  rubrica_notice_attempts_total: {
    type: 'counter',
    unit: 'attempts',
    labels: ['kind', 'outcome'],
    help: 'Attempts to hand a notice about a destination to the mail server',
    services: ['notifier'],
  },
  rubrica_webhook_destinations_disabled_total: {
    type: 'counter',
    unit: 'destinations',
    labels: [],
    help: 'Destinations disabled after days of failures alone',
    services: ['notifier'],
  },
  rubrica_webhook_in_hand: {
    type: 'gauge',
    unit: 'deliveries',
    labels: [],
    help: 'Deliveries in progress or queued in this copy',
    services: ['notifier'],
  },
  rubrica_webhook_destinations_resting: {
    type: 'gauge',
    unit: 'destinations',
    labels: [],
    help: 'Unreachable destinations that get one probe at a time from this copy',
    services: ['notifier'],
  },
} as const satisfies MetricRows;
