import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MetricRow } from './snapshot.ts';

const made = /\.(?<type>counter|gauge|histogram)(?:<[^>]*>)?\((?=\s*\{)/g;

/**
 * The metrics that the sources of a checkout make. They are read as text, because to make them all every service would
 * have to run.
 *
 * @throws Error where a name is not written as a literal
 */
export function readMetrics(root: string): [string, MetricRow][] {
  const paths = globSync(['apps/*/src/**/*.ts', 'packages/{bus,database,process,wiring}/src/**/*.ts'], {
    cwd: root,
    exclude: ['**/*.test.ts', '**/web/**'],
  });
  return paths.toSorted().flatMap((path) => metricsIn(readFileSync(join(root, path), 'utf8'), path));
}

export function metricsIn(source: string, path: string): [string, MetricRow][] {
  return [...source.matchAll(made)].map((match) => {
    const options = enclosed(source, match.index + match[0].length);
    const name = /\bname: '(?<name>[^']+)'/.exec(options)?.groups?.name;
    if (name === undefined)
      throw new Error(`${path}: the name of a metric is not written as a literal: ${options}`);
    return [name, { type: match.groups?.type ?? '', labels: labelsOf(options, source, path) }];
  });
}

/** What stands between the brace at or after `start` and the one that closes it. */
function enclosed(source: string, start: number): string {
  let depth = 0;
  for (let place = start; place < source.length; place += 1) {
    if (source[place] === '{') depth += 1;
    if (source[place] !== '}') continue;
    depth -= 1;
    if (depth === 0) return source.slice(start, place + 1);
  }
  return source.slice(start);
}

function labelsOf(options: string, source: string, path: string): string[] {
  const written = /\blabels: \[(?<list>[^\]]*)\]/.exec(options)?.groups?.list;
  if (written !== undefined) return literalsIn(written);
  if (!/\blabels\b/.test(options)) return [];
  const shared = /\bconst labels = \[(?<list>[^\]]*)\]/.exec(source)?.groups?.list;
  if (shared === undefined)
    throw new Error(`${path}: the labels of a metric are not written beside it: ${options}`);
  return literalsIn(shared);
}

function literalsIn(list: string): string[] {
  return Array.from(list.matchAll(/'(?<name>[^']+)'/g), ({ groups }) => groups?.name ?? '').toSorted();
}
