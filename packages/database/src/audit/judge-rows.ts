import { type AuditTable, genesis } from './audit-table.ts';
import { type ChainedRow, isSound } from './chained-row.ts';
import type { Findings } from './findings.ts';

export interface RowJudge {
  /** Rows in the order of their places; of their own numbers, where two have the same. */
  take(row: ChainedRow): void;
  /** The last place that was taken. */
  last(): number;
}

/** The row before the first one that is judged; none where the chain begins. */
export type Anchor = ChainedRow | undefined;

/** How far a row's own place is looked for, in both directions. Rows that were shifted are found at any distance. */
const searchWithin = 500;
/** Octets that are hashed for one row's place: that of a large row is looked for among fewer. */
const searchOctets = 1024 * 1024;

/**
 * Judges rows one after the other: each must have the next place, be what its hash says, and follow the row before
 * it. Pure; remembers the hashes of some rows before, so as to name what was inserted.
 */
export function createRowJudge(options: {
  readonly table: AuditTable;
  readonly anchor: Anchor;
  readonly from: number;
  readonly findings: Findings;
}): RowJudge {
  const { table, anchor, findings } = options;
  const recent = new Map<number, Buffer>([[0, genesis]]);
  if (anchor !== undefined) recent.set(anchor.sequence, anchor.hash);
  const start = { sequence: options.from - 1, id: anchor?.id ?? null, hash: anchor?.hash ?? genesis };
  let last = start;
  /** False where the row before is missing, or is itself not what it says: nothing follows from it. */
  let isLinked = options.from === 1 || (anchor !== undefined && isSound(table, anchor));
  let offset = 0;

  const originOf = (row: ChainedRow): number | undefined => {
    const octets = row.values.reduce((sum, value) => sum + (value?.length ?? 0), 1_000);
    const within = Math.min(searchWithin, Math.ceil(searchOctets / octets / 2));
    const nearby = Array.from({ length: 2 * within + 1 }, (_, step) => row.sequence + step - within);
    const origin = [row.sequence - offset, ...nearby].find(
      (place) => place > 0 && isSound(table, row, place),
    );
    if (origin !== undefined) offset = row.sequence - origin;
    return origin;
  };
  const judgeUnsound = (row: ChainedRow) => {
    const { sequence, id } = row;
    const origin = originOf(row);
    if (origin === undefined) {
      findings.add({
        kind: 'altered',
        sequence,
        id,
        text: 'what the row says is not what its hash was made of',
      });
      return;
    }
    nameInserted(row, origin);
    findings.addMoved({ sequence, id, origin });
  };
  /** A row that moved up, and still follows the one before its old place, makes room for what came in between. */
  const nameInserted = (row: ChainedRow, origin: number) => {
    if (!recent.get(origin - 1)?.equals(row.previousHash)) return;
    for (let place = origin; place < row.sequence; place += 1) {
      if (findings.covers(place)) continue;
      const id = place === last.sequence ? last.id : null;
      findings.add({
        kind: 'inserted',
        sequence: place,
        id,
        text: 'the row was put between two that were chained',
      });
    }
  };
  const judgeLink = (row: ChainedRow) => {
    if (!isLinked || row.previousHash.equals(last.hash)) return;
    const isFirst = last.sequence === 0;
    const { sequence, id } = isFirst ? row : last;
    const text = isFirst
      ? 'the row does not begin the chain: it was chained to another one'
      : `the row is not the one that row ${row.sequence} was chained to`;
    if (!findings.covers(sequence)) findings.add({ kind: 'replaced', sequence, id, text });
  };
  const remember = ({ sequence, hash }: ChainedRow) => {
    recent.set(sequence, hash);
    recent.delete(sequence - searchWithin);
  };
  return {
    last: () => last.sequence,
    take(row) {
      const { sequence, id } = row;
      if (sequence <= last.sequence) {
        findings.add({ kind: 'inserted', sequence, id, text: 'another row has this place' });
        return;
      }
      if (sequence > last.sequence + 1) {
        const [first, through] = [last.sequence + 1, sequence - 1];
        const text = first === through ? 'the row is gone' : `${through - first + 1} rows are gone`;
        findings.add({ kind: 'removed', sequence: first, through, id: null, text });
        isLinked = false;
      }
      const sound = isSound(table, row);
      if (sound) judgeLink(row);
      else judgeUnsound(row);
      isLinked = sound;
      remember(row);
      last = { sequence, id, hash: row.hash };
    },
  };
}
