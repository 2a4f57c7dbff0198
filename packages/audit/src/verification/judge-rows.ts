import { type ChainedRow, isSound } from '../chain/chained-row.ts';
import { type AuditTable, genesis } from '../log/audit-table.ts';
import type { Findings } from './findings.ts';

export interface RowJudge {
  /** Checks the next row, in the order of positions; rows with the same position in the order of their numbers. */
  take(row: ChainedRow): void;
  /** Last position that was checked. */
  last(): number;
}

/** Row before the first one to check; undefined at the start of the chain. */
export type Anchor = ChainedRow | undefined;

/** Distance, in both directions, at which a row's own position is searched. Shifted rows are found at any distance. */
const searchWithin = 500;
/** Maximum octets hashed for one row's position: that of a large row is searched among fewer. */
const searchOctets = 1024 * 1024;

/**
 * Creates a judge of consecutive rows: each must have the next position, match its hash, and follow the previous row.
 * It is pure, and remembers the hashes of some previous rows in order to name inserted ones.
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
  /** False if the previous row is missing, or does not match its own hash: no conclusion is possible. */
  let isLinked = options.from === 1 || (anchor !== undefined && isSound(table, anchor));
  let offset = 0;

  const findOrigin = (row: ChainedRow): number | undefined => {
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
    const origin = findOrigin(row);
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
  /** Names rows inserted before a row that moved up and still follows the row before its old position. */
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
