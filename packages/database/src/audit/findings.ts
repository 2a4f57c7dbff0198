/**
 * - `removed`: no row has this place, and later ones have theirs
 * - `altered`: what the row says is not what its hash was made of
 * - `moved`: the row was chained at another place
 * - `inserted`: the row was never chained
 * - `replaced`: row and hash fit each other, but the row after it was chained to another one
 * - `rewritten`: rows up to here fit each other, but not what the service has signed
 * - `tail-removed`: the service has signed a place behind the last row
 * - `not-authentic`: the service did not write the entry
 * - `checkpoint-wrong-key`: signed by a known key that may sign no checkpoint of this service, such as its identity key
 * - `checkpoint-invalid`: not signed by any audit key of this service that is known
 * - `checkpoint-altered`: what stands beside the signature is not what was signed
 * - `checkpoint-removed`: the next one was signed in the knowledge of one that is not there
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
  /** Place in the chain; null for a row that has none. */
  readonly sequence: number | null;
  /** Last place of several. */
  readonly through?: number;
  /** The row's own number, where there is a row. */
  readonly id: string | null;
  /** For people: what is wrong. */
  readonly text: string;
}

export interface Findings {
  add(finding: AuditFinding): void;
  /** Places one after the other that were moved the same way are one finding. */
  addMoved(place: { sequence: number; id: string; origin: number }): void;
  /** The farthest place that was signed and is missing is the one finding of a chain that was cut off. */
  addMissingTail(tail: { end: number; signed: number; kid: string }): void;
  /** Whether something was found at this place already. */
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
