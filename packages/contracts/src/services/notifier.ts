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
import { holdingInput, holdingOutput, retainInput, retentionDone } from './schemas/retention.ts';

/** An operator waits for it, and the sweeper comes again. */
const timeoutMs = 3_000;

/** What other services ask of the notifier. All that it sends comes to it as jobs. */
export const notifierCalls = {
  'deliveries.retain': call({
    kind: 'mutation',
    about: 'legal holds and erasures, which the notifier follows for its own rows',
    callers: ['intake'],
    actsFor: service,
    input: retainInput,
    output: retentionDone,
    timeoutMs,
    repeat: 'idempotent',
  }),
  'deliveries.holding': call({
    kind: 'query',
    about: 'what the notifier keeps of requests, until when and why',
    callers: ['intake'],
    actsFor: service,
    input: holdingInput,
    output: holdingOutput,
    timeoutMs,
    repeat: 'idempotent',
  }),
  'deliveries.levels': call({
    kind: 'query',
    about: 'how the webhooks of a month arrived, by partner',
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
    about: "one event of the partner's own with its attempts and the outline of its body",
    callers: ['gateway'],
    actsFor: partner('status:read'),
    input: ownEventInput,
    output: shownEvent,
    repeat: 'idempotent',
  }),
  'events.resend': call({
    kind: 'mutation',
    about: "sends one event of the partner's own again",
    callers: ['gateway'],
    actsFor: partner('manager:write'),
    input: ownEventInput,
    output: resentEvent,
  }),
  'events.recover': call({
    kind: 'mutation',
    about: "sends failed events of the partner's own again, some thousands a call",
    callers: ['gateway'],
    actsFor: partner('manager:write'),
    input: recoverEventsInput,
    output: recoverEventsOutput,
    timeoutMs: 30_000,
  }),
  'events.test': call({
    kind: 'mutation',
    about: 'sends one signed example event, once and at once',
    callers: ['gateway'],
    actsFor: partner('manager:write'),
    input: testEventInput,
    output: testEventOutput,
    timeoutMs: 15_000,
  }),
  'documents.read': call({
    kind: 'query',
    about: 'a short document of a server that is not ours, through the guard of webhooks',
    callers: ['intake'],
    actsFor: service,
    input: readDocumentInput,
    output: readDocumentOutput,
    timeoutMs: documentBudgetMs + 1_000,
  }),
} as const satisfies Record<string, Call>;
