import { type Call, call, service } from './call.ts';
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
} as const satisfies Record<string, Call>;
