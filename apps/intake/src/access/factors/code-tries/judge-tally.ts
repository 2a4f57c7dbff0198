import { DAY_MS } from '@rubrica/contracts/shared/durations';

/** Wrong one-time codes of one app. */
export interface CodeTally {
  readonly inRow: number;
  /** Times of the wrong codes of the last day, oldest first. */
  readonly wrongAt: readonly string[];
  /** Time since which no code is compared. */
  readonly lockedAt: Date | null;
}

/**
 * Limits of wrong codes. NIST SP 800-63B section 5.2.2 allows 100 in a row. Three codes of a million are
 * valid at a time.
 */
export const codeRules = { inRow: 10, inDay: 30, mailedAt: 3 } as const;

/** Counts a code that is about to be compared as a wrong one. @returns undefined if codes are locked */
export function countTry(tally: CodeTally, now: Date): CodeTally | undefined {
  if (tally.lockedAt !== null) return undefined;
  const recent = tally.wrongAt.filter((at) => now.getTime() - Date.parse(at) < DAY_MS);
  const wrongAt = [...recent, now.toISOString()].slice(-codeRules.inDay);
  const inRow = tally.inRow + 1;
  const isLast = inRow >= codeRules.inRow || wrongAt.length >= codeRules.inDay;
  return { inRow, wrongAt, lockedAt: isLast ? now : null };
}

/** Removes the code that was counted at that time and turned out right. */
export function forgiveTry({ wrongAt }: CodeTally, countedAt: string): CodeTally {
  const index = wrongAt.indexOf(countedAt);
  return { inRow: 0, wrongAt: wrongAt.filter((_, at) => at !== index), lockedAt: null };
}

/**
 * Ends the lock and the count in a row. Those of the day stay: another wrong code locks again if they are too
 * many.
 */
export function unlockTally({ wrongAt }: CodeTally): CodeTally {
  return { inRow: 0, wrongAt, lockedAt: null };
}
