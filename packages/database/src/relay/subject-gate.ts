/** Columns of an outbox row that the gate uses. */
export interface GateRow {
  readonly id: string;
  readonly subject: string;
}

export interface Probe {
  readonly subject: string;
  /** Index among the subject's oldest unpublished rows: 0 is the oldest. */
  readonly skip: number;
}

export interface SubjectGate {
  isOpen(subject: string): boolean;
  /** Tells whether nothing is closed or held back. */
  isClear(): boolean;
  /** Lists subjects that are not read at present. */
  closedSubjects(): string[];
  /** Lists rows that are not read at present although their subject is open. */
  heldBackRows(now: number): string[];
  /** Lists closed subjects to try now with one row each; a probe counts as in progress until it is answered. */
  dueProbes(now: number): Probe[];
  /** Reports that the probed subject had no unpublished row left. */
  probeFoundNothing(subject: string): void;
  /** Reports that the probe's row was not sent: another probe is due soon. */
  probeUnsent(subject: string, now: number): void;
  published(row: GateRow): void;
  failed(row: GateRow, now: number): void;
  /** Time of the next due action: milliseconds on the clock of `now`, or infinity. */
  nextDueAt(now: number): number;
}

interface ClosedSubject {
  failures: number;
  retryAt: number;
  probing: { skip: number } | undefined;
  /** A later row of this subject was published, so a row that fails now is itself the fault. */
  knownGood: boolean;
}

interface HeldBackRow {
  until: number;
  delayMs: number;
}

const firstDelayMs = 50;
const longestDelayMs = 2_000;
const firstHoldMs = 5_000;
const longestHoldMs = 600_000;
/** Failures of the oldest row before a later one is tried. */
const patience = 3;
/**
 * Rows that are tried then, in turn. They grow far beyond what one fault leaves: the role of the database can insert
 * any number of rows that are never published.
 */
const skips = [0, 1, 2, 3, 4, ...Array.from({ length: 14 }, (_, index) => 2 ** (index + 3))];

/**
 * Creates the gate that keeps one fault from stopping everything. A subject whose publish failed (its stream is full,
 * or JetStream is away) is closed and probed with one row at growing intervals while other subjects continue. A row
 * that fails while a later one of its subject passes is held back alone, so that one bad row cannot close its subject
 * permanently.
 */
export function createSubjectGate(): SubjectGate {
  const closed = new Map<string, ClosedSubject>();
  const held = new Map<string, HeldBackRow>();

  const hold = (id: string, now: number) => {
    const delayMs = Math.min((held.get(id)?.delayMs ?? firstHoldMs / 2) * 2, longestHoldMs);
    held.set(id, { delayMs, until: now + delayMs });
  };
  const close = (subject: string, now: number) => {
    closed.set(subject, {
      failures: 1,
      retryAt: now + firstDelayMs,
      probing: undefined,
      knownGood: false,
    });
  };
  const probeFailed = (state: ClosedSubject, row: GateRow, now: number) => {
    state.probing = undefined;
    if (state.knownGood) {
      hold(row.id, now);
      state.retryAt = now;
      return;
    }
    state.failures += 1;
    state.retryAt = now + Math.min(firstDelayMs * 2 ** (state.failures - 1), longestDelayMs);
  };
  return {
    isOpen: (subject) => !closed.has(subject),
    isClear: () => closed.size === 0 && held.size === 0,
    closedSubjects: () => [...closed.keys()],
    heldBackRows: (now) => [...held].filter(([, row]) => row.until > now).map(([id]) => id),
    dueProbes: (now) =>
      [...closed]
        .filter(([, state]) => state.probing === undefined && state.retryAt <= now)
        .map(([subject, state]) => {
          const late = state.knownGood ? 0 : Math.max(0, state.failures - patience);
          const skip = skips[late % skips.length] ?? 0;
          state.probing = { skip };
          return { subject, skip };
        }),
    probeFoundNothing: (subject) => void closed.delete(subject),
    probeUnsent(subject, now) {
      const state = closed.get(subject);
      if (state) Object.assign(state, { probing: undefined, retryAt: now + firstDelayMs });
    },
    published(row) {
      held.delete(row.id);
      const state = closed.get(row.subject);
      if (state?.probing === undefined) return;
      if (state.probing.skip === 0) {
        closed.delete(row.subject);
        return;
      }
      // Later rows pass: the oldest is tried once more before it is blamed.
      Object.assign(state, { probing: undefined, knownGood: true, retryAt: 0 });
    },
    failed(row, now) {
      const state = closed.get(row.subject);
      if (state?.probing !== undefined) probeFailed(state, row, now);
      else if (held.has(row.id)) hold(row.id, now);
      else if (state === undefined) close(row.subject, now);
    },
    nextDueAt: (now) =>
      Math.min(
        ...[...closed.values()].map((state) => (state.probing ? Number.POSITIVE_INFINITY : state.retryAt)),
        ...[...held.values()].map(({ until }) => until).filter((until) => until > now),
      ),
  };
}
