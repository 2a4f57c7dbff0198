import type { SettingRow, Snapshot } from '../snapshot/snapshot.ts';
import { compareFacts, compareLists, compareRows, type Finding, schemaFindings } from './finding.ts';

const wholeNumbers = /^must be a whole number from (?<min>-?\d+) to (?<max>-?\d+)$/;

/** Compares settings: a deployment configured for the last release continues unchanged. */
export function compareSettings(before: Snapshot['settings'], after: Snapshot['settings']): Finding[] {
  const added = Object.entries(after)
    .filter(([name, { required }]) => required && before[name] === undefined)
    .map(([name]) => `${name}: is new, and required`);
  return [
    ...added,
    ...compareRows(before, after, (old, now, name) => [
      ...(now.required && !old.required ? [`${name}: is required now`] : []),
      ...(old.required ? [] : compareFacts({ before: old, after: now, name }, ['default'])),
      ...schemaFindings(name, { before: old.accepts, after: now.accepts, direction: 'request' }),
      ...compareRefusals(old, now, name),
    ]),
  ];
}

/**
 * Compares rejections. Rules written as code describe their condition only in words; a range is one that can be
 * compared.
 */
function compareRefusals(old: SettingRow, now: SettingRow, name: string): Finding[] {
  const [own, other] = [parseRange(old), parseRange(now)];
  if (own && other && other.min <= own.min && other.max >= own.max) return [];
  return now.refuses === null ? [] : compareFacts({ before: old, after: now, name }, ['refuses']);
}

function parseRange({ refuses }: SettingRow): { min: number; max: number } | undefined {
  const { min, max } = wholeNumbers.exec(refuses ?? '')?.groups ?? {};
  return min === undefined ? undefined : { min: Number(min), max: Number(max) };
}

/** Compares metrics: dashboards and alerts query them by name, and group by labels. */
export function compareMetrics(before: Snapshot['metrics'], after: Snapshot['metrics']): Finding[] {
  return compareRows(before, after, (old, now, name) => [
    ...compareFacts({ before: old, after: now, name }, ['type']),
    ...compareLists({ before: old.labels, after: now.labels, name }, 'label'),
  ]);
}
