import type { z } from 'zod';
import { nearestName } from './nearest-name.ts';
import { listSettings } from './walk-settings.ts';

/** Settings of the tools around the services, which pass on their own environment. */
const toolSettings: ReadonlySet<string> = new Set(['RUBRICA_HOME', 'RUBRICA_APPS', 'RUBRICA_NODE_OPTIONS']);
const ownPrefix = 'RUBRICA_';

export interface UnknownSetting {
  readonly name: string;
  /** Setting that was probably meant; undefined if no setting has a similar name. */
  readonly meant: string | undefined;
}

/**
 * Describes unknown settings, one sentence each. A misspelt setting would otherwise be ignored and its default used.
 */
export function describeUnknownSettings(settings: z.ZodObject, present: readonly string[]): string[] {
  const known = listSettings(settings).map(({ facts }) => facts.env);
  return unknownSettings(known, present).map(
    ({ name, meant }) => `setting ${name} is unknown${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  );
}

/**
 * Finds names in the environment that were probably meant as settings: those that differ by a typing error from a known
 * one, and those with our prefix. All other names belong to others: a shell, an engine, a sidecar.
 */
export function unknownSettings(known: readonly string[], present: readonly string[]): UnknownSetting[] {
  const names = new Set(known);
  return present
    .filter((name) => !names.has(name) && !toolSettings.has(name))
    .map((name) => ({ name, meant: nearestName(name.toUpperCase(), known) }))
    .filter(({ name, meant }) => meant !== undefined || name.startsWith(ownPrefix));
}
