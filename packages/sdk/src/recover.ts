import type { OperationId } from './api.ts';
import type { CallRow } from './calls.ts';
import type { RubricaError } from './errors.ts';

export interface LostCall {
  readonly row: CallRow;
  readonly input: object;
  /** Refusal of a repeated call of which an earlier attempt may have been carried out. */
  readonly failure: RubricaError;
  /** Time since the first attempt. */
  readonly elapsedMs: number;
  /** Calls a status operation. */
  readonly ask: (operation: OperationId, input: object) => Promise<Record<string, unknown>>;
}

/** Determines what the lost call did; undefined if the refusal is not about it. */
export async function recover({
  row,
  input,
  failure,
  elapsedMs,
  ask,
}: LostCall): Promise<object | undefined> {
  if (row.repeat === 'by-reference' || row.repeat === 'by-line') {
    if (failure.code !== 'DUPLICATED_REFERENCE_TRANSACTION') return undefined;
    const record = await ask(row.ask, pickIdentifier(input));
    return isSince(String(record[row.id]), failure, elapsedMs) ? record : undefined;
  }
  if (row.repeat !== 'by-state' || failure.code !== row.conflict) return undefined;
  if ('known' in row) return row.known;
  const record = await ask(row.ask, pickIdentifier(input));
  return record.status === row.reached ? record : undefined;
}

/** Picks the fields of the input that identify the request. */
function pickIdentifier(input: object): object {
  const names = Object.entries(input).filter(([name]) => /^referenceTransaction$|equestId$/.test(name));
  return Object.fromEntries(names);
}

/** Possible difference of the clocks of two copies of the service. */
const toleranceMs = 30_000;

/**
 * Tells whether the record was created since the first attempt: an older one is another registration with the same
 * reference, and must not be taken for this one. Both times are the service's: an identifier is a UUID v7, which begins
 * with milliseconds since 1970 (RFC 9562 §5.7), and the refusal has a date.
 */
function isSince(id: string, { answeredAtMs }: RubricaError, elapsedMs: number): boolean {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id) || answeredAtMs === undefined) return false;
  const createdAtMs = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  return createdAtMs >= answeredAtMs - elapsedMs - toleranceMs;
}
