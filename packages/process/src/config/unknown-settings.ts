import type { z } from 'zod';
import { listSettings } from './walk-settings.ts';

/** Of the tools around the services, which pass their own environment on. */
const ofTools: ReadonlySet<string> = new Set(['RUBRICA_HOME', 'RUBRICA_APPS', 'RUBRICA_NODE_OPTIONS']);
const ownPrefix = 'RUBRICA_';

export interface UnknownSetting {
  readonly name: string;
  /** What was probably meant; undefined where no setting has a name like it. */
  readonly meant: string | undefined;
}

/** A setting with a slip in its name is none: its default would be used. One sentence for each. */
export function sayUnknownSettings(settings: z.ZodObject, present: readonly string[]): string[] {
  const known = listSettings(settings).map(({ facts }) => facts.env);
  return unknownSettings(known, present).map(
    ({ name, meant }) => `setting ${name} is unknown${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  );
}

/**
 * Names in the environment that were probably meant as settings: those that differ by a slip from one that there is, and
 * those with a prefix of ours. All else there belongs to others: a shell, an engine, a sidecar.
 */
export function unknownSettings(known: readonly string[], present: readonly string[]): UnknownSetting[] {
  const names = new Set(known);
  return present
    .filter((name) => !names.has(name) && !ofTools.has(name))
    .map((name) => ({ name, meant: nearest(name.toUpperCase(), known) }))
    .filter(({ name, meant }) => meant !== undefined || name.startsWith(ownPrefix));
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const near = known
    .map((one) => ({ one, slips: slipsBetween(name, one) }))
    .filter(({ one, slips }) => slips <= allowed(one))
    .sort((a, b) => a.slips - b.slips);
  return near[0]?.one;
}

/** Short names are near to each other without any slip: `SMS_URL` is no `SMTP_URL`. */
function allowed(name: string): number {
  return name.length < 10 ? 1 : 2;
}

/** Letters that are too many, missing, others, or in the place of their neighbour. */
function slipsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const here = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const at = (up: number, left: number) => rows[row - up]?.[column - left] ?? 0;
      const isSame = a[row - 1] === b[column - 1];
      const isTurned = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      here.push(
        Math.min(
          at(1, 0) + 1,
          (here[column - 1] ?? 0) + 1,
          at(1, 1) + (isSame ? 0 : 1),
          isTurned ? at(2, 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(here);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
