import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { expect, test } from 'vitest';

const web = join(import.meta.dirname, '..', 'src', 'web');
const server = join(import.meta.dirname, '..', 'src', 'server');
const table: Readonly<Record<string, OperatorProcedure>> = operatorProcedures;
const ranks = { public: 0, viewer: 1, reviewer: 2, admin: 3 };

/** A file and all of ours that it imports. */
function withImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+\.tsx?)'/g))
    withImports(join(dirname(file), name), seen);
  return seen;
}

/** Where code calls a procedure: a list, an action, a query, a call. Asking whether one may is no call. */
const uses = /(?:procedure=|createQuery\(|\bcall(?:Procedure)?\(|mutate\()\s*\{?["']([\w.]+)["']/g;

function usedIn(files: Iterable<string>): Set<string> {
  const found = [...files].flatMap((file) => [...readFileSync(file, 'utf8').matchAll(uses)]);
  return new Set(found.map(([, name = '']) => name).filter((name) => name in table));
}

const shell = withImports(join(web, 'shell', 'shell.tsx'));
// Read as text: the pages are compiled for browsers, and this is not.
const rows = readFileSync(join(web, 'pages.ts'), 'utf8').matchAll(
  /path: '(?<path>[^']+)',\n\s*(?:procedure: '(?<procedure>[^']+)',)?.*?import\('(?<module>[^']+)'\)/gs,
);
const pageUses = [...rows].map(({ groups: { procedure = '', module = '' } = {} }) => ({
  least: table[procedure]?.role ?? 'viewer',
  procedures: usedIn([...withImports(join(web, module)), ...shell]),
}));
const beforeSignIn = usedIn([
  ...withImports(join(web, 'app.tsx')),
  ...globSync('**/*.ts', { cwd: server }).map((name) => join(server, name)),
]);

test('every procedure can be reached from a page by the least role that may call it', () => {
  const unreachable = Object.entries(table).filter(([path, { role }]) =>
    role === 'public'
      ? !beforeSignIn.has(path)
      : !pageUses.some(({ least, procedures }) => procedures.has(path) && ranks[least] <= ranks[role]),
  );
  expect(unreachable.map(([path]) => path)).toEqual([]);
});
