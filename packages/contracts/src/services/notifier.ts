import { type Call, call, partner, service } from './call.ts';
import { deliveryLevelsInput, deliveryLevelsOutput } from './schemas/delivery-levels.ts';
import { documentBudgetMs, readDocumentInput, readDocumentOutput } from './schemas/documents.ts';
import {
  listEventsInput,
  listEventsOutput,
  ownEventInput,
  recoverEventsInput,
  recoverEventsOutput,
  resentEvent,
  shownEvent,
  testEventInput,
  testEventOutput,
} from './schemas/lists.ts';
import { holdingInput, holdingOutput, retainInput, retentionResult } from './schemas/retention.ts';

/** An operator waits for the answer, and the sweeper repeats the call. */
const timeoutMs = 3_000;

/** Calls that the notifier answers. Everything that it sends comes to it as jobs. */
export const notifierCalls = {
  'deliveries.retain': call({
    kind: 'mutation',
    about: 'applies legal holds and erasures to the rows of the notifier',
    callers: ['intake'],
    actsFor: service,
    input: retainInput,
    output: retentionResult,
    timeoutMs,
    repeat: 'idempotent',
  }),
  'deliveries.holding': call({
    kind: 'query',
    about: 'data of requests that the notifier stores, with end and reason',
    callers: ['intake'],
    actsFor: service,
    input: holdingInput,
    output: holdingOutput,
    timeoutMs,
    repeat: 'idempotent',
  }),
  'deliveries.levels': call({
    kind: 'query',
    about: 'delivery results of the webhooks of a month, by partner',
    callers: ['intake'],
    actsFor: service,
    input: deliveryLevelsInput,
    output: deliveryLevelsOutput,
    timeoutMs,
    repeat: 'idempotent',
  }),
  'events.list': call({
    kind: 'query',
    takesTurns: true,
    about: 'webhook events of a partner, newest first, by filters',
    callers: ['gateway'],
    actsFor: partner('status:read'),
    input: listEventsInput,
    output: listEventsOutput,
    repeat: 'idempotent',
  }),
  'events.read': call({
    kind: 'query',
    about: "one of the partner's events with its attempts and the outline of its body",
    callers: ['gateway'],
    actsFor: partner('status:read'),
    input: ownEventInput,
    output: shownEvent,
    repeat: 'idempotent',
  }),
  'events.resend': call({
    kind: 'mutation',
    about: "sends one of the partner's events again",
    callers: ['gateway'],
    actsFor: partner('manager:write'),
    input: ownEventInput,
    output: resentEvent,
  }),
  'events.recover': call({
    kind: 'mutation',
    about: "sends the partner's failed events again, some thousands per call",
    callers: ['gateway'],
    actsFor: partner('manager:write'),
    input: recoverEventsInput,
    output: recoverEventsOutput,
    timeoutMs: 30_000,
  }),
  'events.test': call({
    kind: 'mutation',
    about: 'sends one signed example event, immediately and once',
    callers: ['gateway'],
    actsFor: partner('manager:write'),
    input: testEventInput,
    output: testEventOutput,
    timeoutMs: 15_000,
  }),
  'documents.read': call({
    kind: 'query',
    about: 'a short document from an external server, read under the address rules of webhooks',
    callers: ['intake'],
    actsFor: service,
    input: readDocumentInput,
    output: readDocumentOutput,
    timeoutMs: documentBudgetMs + 1_000,
  }),
} as const satisfies Record<string, Call>;
