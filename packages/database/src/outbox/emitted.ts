import type { Statement } from '../connection/bound-statement.ts';
import type { NewOutboxRow } from './outbox-event.ts';

/** Outbox row that has been committed. */
export interface EmittedRow extends NewOutboxRow {
  readonly id: string;
}

/** Outbox rows of one statement, which has committed. */
export interface Emitted {
  readonly rows: readonly EmittedRow[];
  /** Time before the statement was sent, by `performance.now()`: no other process has seen the rows earlier. */
  readonly sentAt: number;
}

/**
 * Takes the outbox rows that a statement has inserted out of its answer (see `emitting`). Undefined if the answer does
 * not contain them.
 */
export function takeEmitted(
  { outboxRows }: Statement,
  rows: readonly Record<string, unknown>[],
): EmittedRow[] | undefined {
  const [row] = rows;
  if (outboxRows === undefined || row === undefined) return undefined;
  const ids = row.emitted as Readonly<Record<string, string>> | null | undefined;
  delete row.emitted;
  if (!ids) return undefined;
  return (JSON.parse(outboxRows) as NewOutboxRow[]).flatMap((event) => {
    const id = ids[event.message_id];
    return id === undefined ? [] : [{ ...event, id }];
  });
}
