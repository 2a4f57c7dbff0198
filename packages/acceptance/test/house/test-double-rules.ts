import type { Finding } from './finding.ts';
import { isTest, resolveImport, type SourceFile, type Workspace, workspaces } from './workspaces.ts';

/** Packages that no product runs: their sources are tests too. */
const testPackages = ['acceptance', 'compatibility', 'interop', 'testkit'].map((name) => `packages/${name}`);

/** Packages installed by others, who import names that no workspace here imports. */
const published = ['packages/bus', 'packages/sdk', 'packages/operators-client'];

const isRuntime = ({ folder }: Workspace) => ![...testPackages, ...published].includes(folder);
const sources = ({ files }: Workspace) => files.filter(({ path }) => !isTest(path));

const importedBy = (file: SourceFile) =>
  file.imports.flatMap(({ specifier }) => resolveImport(file, specifier) ?? []);

/** Lists the files that a product runs: those that nothing imports are started by their path, and import the others. */
function reachableFiles(): ReadonlySet<string> {
  const files = workspaces.filter(({ folder }) => !testPackages.includes(folder)).flatMap(sources);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const everywhere = workspaces.flatMap((workspace) => workspace.files);
  const imported = new Set(everywhere.filter(({ path }) => !path.endsWith('/main.ts')).flatMap(importedBy));
  const started = files.filter(({ path }) => !imported.has(path) || /\/(?:main|generate)\.tsx?$/.test(path));
  const reached = new Set(started.map(({ path }) => path));
  for (const path of reached) {
    const file = byPath.get(path);
    for (const target of file === undefined ? [] : importedBy(file)) reached.add(target);
  }
  return reached;
}

/** Recognizes code; an entry of a package that only re-exports is not code, and its files are checked separately. */
const hasCode = ({ imports }: SourceFile) =>
  !imports.every(({ reExport }) => reExport) || imports.length === 0;

/** Finds files of a product's `src/` that only tests import: test doubles belong in testkit or `test/`. */
export function testDoubleFindings(): Finding[] {
  const reached = reachableFiles();
  return workspaces.filter(isRuntime).flatMap((workspace) =>
    sources(workspace)
      .filter((file) => hasCode(file) && !reached.has(file.path))
      .map(({ path }) => ({ rule: 'only tests import it', workspace: workspace.folder, text: path })),
  );
}
