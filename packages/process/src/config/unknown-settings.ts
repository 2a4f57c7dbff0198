import type { z } from 'zod';
import { nearestName } from './nearest-name.ts';
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
    .map((name) => ({ name, meant: nearestName(name.toUpperCase(), known) }))
    .filter(({ name, meant }) => meant !== undefined || name.startsWith(ownPrefix));
}
