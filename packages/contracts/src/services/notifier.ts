import { type Call, call, service } from './call.ts';
import { deliveryLevelsInput, deliveryLevelsOutput } from './schemas/delivery-levels.ts';
import { documentBudgetMs, readDocumentInput, readDocumentOutput } from './schemas/documents.ts';
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
