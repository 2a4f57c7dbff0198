import type { OperationId } from './api.ts';
import type { CallRow } from './calls.ts';
import type { RubricaError } from './errors.ts';

export interface LostCall {
  readonly row: CallRow;
  readonly input: object;
  /** The refusal of a repeat, of a call of which an earlier attempt may have been carried out. */
  readonly failure: RubricaError;
  /** Since the first attempt. */
  readonly elapsedMs: number;
  /** Answers a status operation. */
  readonly ask: (operation: OperationId, input: object) => Promise<Record<string, unknown>>;
}

/** What the lost call did, where that can be told; undefined where the refusal is not about it. */
export async function recover({
  row,
  input,
  failure,
  elapsedMs,
  ask,
}: LostCall): Promise<object | undefined> {
  if (row.repeat === 'by-reference' || row.repeat === 'by-line') {
    if (failure.code !== 'DUPLICATED_REFERENCE_TRANSACTION') return undefined;
    const record = await ask(row.ask, identifierOf(input));
    return isSince(String(record[row.id]), failure, elapsedMs) ? record : undefined;
  }
  if (row.repeat !== 'by-state' || failure.code !== row.conflict) return undefined;
  if ('known' in row) return row.known;
  const record = await ask(row.ask, identifierOf(input));
  return record.status === row.reached ? record : undefined;
}

/** The fields of the input that name the request. */
function identifierOf(input: object): object {
  const names = Object.entries(input).filter(([name]) => /^referenceTransaction$|equestId$/.test(name));
  return Object.fromEntries(names);
}

/** Clocks of two copies of the service may differ by this much. */
const toleranceMs = 30_000;

/**
 * Whether the record was made since the first attempt: an older one is another registration that happens to carry
 * the same reference, and must not be taken for this one. Both times are the service's: an identifier is a UUID v7,
 * which begins with milliseconds since 1970 (RFC 9562 §5.7), and the refusal has a date.
 */
function isSince(id: string, { answeredAtMs }: RubricaError, elapsedMs: number): boolean {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id) || answeredAtMs === undefined) return false;
  const madeAtMs = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  return madeAtMs >= answeredAtMs - elapsedMs - toleranceMs;
}
