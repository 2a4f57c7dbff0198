/**
 * Kinds of findings.
 *
 * - `removed`: no row has this position, and later ones have theirs
 * - `altered`: the row's content does not match its hash
 * - `moved`: the row was chained at another position
 * - `inserted`: the row was never chained
 * - `replaced`: row and hash match, but the next row was chained to another one
 * - `rewritten`: rows up to here match, but differ from what the service has signed
 * - `tail-removed`: the service has signed a position after the last row
 * - `not-authentic`: the service did not write the entry
 * - `checkpoint-wrong-key`: signed with a known key that may sign no checkpoint of this service, for example its
 * identity key
 * - `checkpoint-invalid`: not signed with any known audit key of this service
 * - `checkpoint-altered`: the columns of the checkpoint differ from the signed claims
 * - `checkpoint-removed`: the next one refers to one that is missing
 */
export type FindingKind =
  | 'removed'
  | 'altered'
  | 'moved'
  | 'inserted'
  | 'replaced'
  | 'rewritten'
  | 'tail-removed'
  | 'not-authentic'
  | 'checkpoint-wrong-key'
  | 'checkpoint-invalid'
  | 'checkpoint-altered'
  | 'checkpoint-removed';

export interface AuditFinding {
  readonly kind: FindingKind;
  /** Position in the chain; null for a row without one. */
  readonly sequence: number | null;
  /** Last position, for several. */
  readonly through?: number;
  /** The row's own number, if there is a row. */
  readonly id: string | null;
  /** Description of the fault, for people. */
  readonly text: string;
}

export interface Findings {
  add(finding: AuditFinding): void;
  /** Merges consecutive positions that were moved by the same distance into one finding. */
  addMoved(place: { sequence: number; id: string; origin: number }): void;
  /** Records only the last signed position that is missing, as the one finding of a truncated chain. */
  addMissingTail(tail: { end: number; signed: number; kid: string }): void;
  /** Tells whether there is already a finding at this position. */
  covers(sequence: number): boolean;
  list(): AuditFinding[];
}

export function createFindings(): Findings {
  const found: AuditFinding[] = [];
  let run: { index: number; start: number; end: number; offset: number } | undefined;
  return {
    add: (finding) => void found.push(finding),
    addMoved({ sequence, id, origin }) {
      const offset = sequence - origin;
      if (run?.end === sequence - 1 && run.offset === offset) {
        run.end = sequence;
        const from = run.start - offset;
        const text = `the rows were chained at places ${from} to ${origin}`;
        found[run.index] = { kind: 'moved', sequence: run.start, through: sequence, id: null, text };
        return;
      }
      run = { index: found.length, start: sequence, end: sequence, offset };
      found.push({ kind: 'moved', sequence, id, text: `the row was chained at place ${origin}` });
    },
    addMissingTail({ end, signed, kid }) {
      const known = found.findIndex(({ kind }) => kind === 'tail-removed');
      if ((found[known]?.through ?? 0) >= signed) return;
      const text = `the chain ends at ${end}, and key ${kid} has signed that it reached ${signed}`;
      const finding = { kind: 'tail-removed', sequence: end + 1, through: signed, id: null, text } as const;
      found.splice(known === -1 ? found.length : known, known === -1 ? 0 : 1, finding);
    },
    covers: (place) =>
      found.some(({ sequence, through }) => {
        if (sequence === null) return false;
        return sequence <= place && place <= (through ?? sequence);
      }),
    list: () => [...found],
  };
}
