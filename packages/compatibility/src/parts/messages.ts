import type { Messages, Snapshot } from '../snapshot/snapshot.ts';
import { compareFacts, compareRows, type Finding, schemaFindings } from './finding.ts';

/**
 * Both ways: what the last release left in a stream is worked on by the next one, and copies of the last one still work on
 * what the next one sends.
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

/** Partners read them by programs that nobody of ours changes. */
export function compareWebhooks(before: Snapshot['webhooks'], after: Snapshot['webhooks']): Finding[] {
  return compareRows(before, after, (old, now, name) =>
    schemaFindings(name, { before: old, after: now, direction: 'answer' }),
  );
}
