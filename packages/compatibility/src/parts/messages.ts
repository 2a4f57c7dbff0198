import type { Messages, Snapshot } from '../snapshot/snapshot.ts';
import { compareFacts, compareRows, type Finding, schemaFindings } from './finding.ts';

/**
 * Compares messages in both directions. The next release processes messages that the last one left in a stream, and
 * copies of the last one still process messages from the next.
 */
export function compareMessages(before: Messages, after: Messages): Finding[] {
  return [
    ...compareRows(before.payloads, after.payloads, (old, now, name) => [
      ...new Set([
        ...schemaFindings(name, { before: old, after: now, direction: 'request' }),
        ...schemaFindings(name, { before: old, after: now, direction: 'answer' }),
      ]),
    ]),
    ...compareRows(before.streams, after.streams, (old, now, name) =>
      compareFacts({ before: { stream: old }, after: { stream: now }, name }, ['stream']),
    ),
    ...compareRows(before.consumers, after.consumers, (old, now, name) =>
      compareFacts({ before: { consumer: old }, after: { consumer: now }, name }, ['consumer']),
    ),
  ];
}

/** Compares webhooks, which partners read with programs that the project cannot change. */
export function compareWebhooks(before: Snapshot['webhooks'], after: Snapshot['webhooks']): Finding[] {
  return compareRows(before, after, (old, now, name) =>
    schemaFindings(name, { before: old, after: now, direction: 'answer' }),
  );
}
