import type { Finding } from './finding.ts';
import type { ImportStatement } from './read-imports.ts';
import {
  isTest,
  packageOf,
  type SourceFile,
  type Workspace,
  workspaceNamed,
  workspaces,
} from './workspaces.ts';

/** Tools that the repository's own package.json provides to the tests of every workspace, and to the testkit. */
const rootTools = new Set(['vitest', 'typescript']);
const isForTests = ({ path }: SourceFile) => isTest(path) || path.startsWith('packages/testkit/');

/** Packages declared and loaded in another way than by an import. */
const loadedOtherwise: Readonly<Record<string, string>> = {
  'packages/acceptance newman': 'a program that a test runs, as a partner would',
  'packages/database mikro-orm': 'the optional peer that @mikro-orm/core asks for by name',
  'packages/docs @rubrica/sdk': 'its programs in other languages are shown',
  'packages/docs minisearch': 'copied into the site, for the browser',
  'packages/process pino-pretty': 'loaded by pino by its name',
  'packages/testkit @opentelemetry/api': 'of release 0.1.0, which tests run with packages of ours',
};

const external = (file: SourceFile) =>
  file.imports.filter(({ specifier }) => !specifier.startsWith('.') && !specifier.startsWith('node:'));

/** Finds missing declarations: every workspace declares exactly what it imports, in the section that needs it. */
function undeclared(workspace: Workspace): Finding[] {
  const { dependencies, devDependencies, folder } = workspace;
  return workspace.files.flatMap((file) =>
    external(file).flatMap(({ specifier, typeOnly }) => {
      const name = packageOf(specifier);
      if (name === workspace.name || dependencies.includes(name)) return [];
      const appType = typeOnly && workspaceNamed(name)?.isApp === true;
      if (isForTests(file) && rootTools.has(name)) return [];
      if ((isTest(file.path) || appType) && devDependencies.includes(name)) return [];
      return [{ rule: 'undeclared import', workspace: folder, text: `${file.path} imports ${name}` }];
    }),
  );
}

function unused(workspace: Workspace): Finding[] {
  const imports = workspace.files.flatMap((file) =>
    external(file).map(({ specifier, typeOnly }) => ({
      name: packageOf(specifier),
      inSource: !isTest(file.path) && !(typeOnly && workspaceNamed(packageOf(specifier))?.isApp),
    })),
  );
  const used = new Set(imports.map(({ name }) => name));
  const usedInSource = new Set(imports.filter(({ inSource }) => inSource).map(({ name }) => name));
  const isUsed = (name: string, by: ReadonlySet<string>) =>
    by.has(name) ||
    `${workspace.folder} ${name}` in loadedOtherwise ||
    (name.startsWith('@types/') && used.has(name.slice('@types/'.length)));
  const finding = (text: string): Finding => ({
    rule: 'unused dependency',
    workspace: workspace.folder,
    text,
  });
  return [
    ...workspace.dependencies
      .filter((name) => !isUsed(name, usedInSource))
      .map((name) =>
        finding(used.has(name) ? `${name} belongs in devDependencies` : `${name} is imported nowhere`),
      ),
    ...workspace.devDependencies
      .filter((name) => !isUsed(name, used))
      .map((name) => finding(`${name} is imported nowhere`)),
  ];
}

/** Packages without dependencies on other workspaces, so that they can be read, tested and published alone. */
const standalone = ['contracts', 'pki', 'ecuador', 'json-stream', 'bus', 'sdk', 'operators-client'].map(
  (name) => `packages/${name}`,
);

/** Packages that each service is built on, from the bottom up: each imports only those before it. */
const layers = ['contracts', 'process', 'database', 'audit', 'wiring', 'approvals'].map(
  (name) => `packages/${name}`,
);

function isAbove(target: Workspace, workspace: Workspace): boolean {
  const layer = layers.indexOf(workspace.folder);
  return layer !== -1 && layers.indexOf(target.folder) > layer;
}

function forbidden(
  workspace: Workspace,
  file: SourceFile,
  { specifier, typeOnly, names }: ImportStatement,
): string | undefined {
  const name = packageOf(specifier);
  const target = workspaceNamed(name);
  if (target === undefined || target === workspace) return undefined;
  // Its tests compare the rules of one app with those of another, which no app may.
  if (target.isApp && workspace.folder === 'packages/acceptance' && isTest(file.path)) return undefined;
  if (target.isApp && !workspace.isApp) return 'a package imports no app';
  if (target.isApp && !(typeOnly && names.every((one) => one.endsWith('Router'))))
    return 'an app imports another only as the type of its router';
  if (standalone.includes(workspace.folder) && !isTest(file.path))
    return 'this package imports nothing of ours';
  if (isAbove(target, workspace)) return 'this package stands below the other';
  if (workspace.folder === 'packages/testkit' && name === '@rubrica/stack')
    return 'testkit stands below stack';
  return undefined;
}

/** Finds packages that offer all of their names in one entry: an import names its subject, as `@rubrica/audit/log`. */
function barrel({ folder, exports }: Workspace): Finding[] {
  const bySubject = layers.includes(folder) && folder !== 'packages/wiring';
  return bySubject && exports.has('.')
    ? [{ rule: 'barrel', workspace: folder, text: exports.get('.') ?? '' }]
    : [];
}

/**
 * Finds imports in the wrong direction: apps use packages, packages use each other downwards, and no workspace uses an
 * app.
 */
function wrongDirection(workspace: Workspace): Finding[] {
  return workspace.files.flatMap((file) =>
    external(file).flatMap((statement) => {
      const reason = forbidden(workspace, file, statement);
      if (reason === undefined) return [];
      return [
        {
          rule: 'wrong direction',
          workspace: workspace.folder,
          text: `${file.path}: ${reason} (${statement.specifier})`,
        },
      ];
    }),
  );
}

/** Finds relative paths that leave their workspace, which would evade all of these rules. */
function leavesWorkspace(workspace: Workspace): Finding[] {
  return workspace.files.flatMap((file) => {
    const depth = file.path.split('/').length - 3;
    return file.imports
      .filter(({ specifier }) => (specifier.match(/\.\.\//g) ?? []).length > depth)
      .filter(({ specifier }) => !specifier.endsWith('/vitest.shared.ts'))
      .map(({ specifier }) => ({
        rule: 'leaves its workspace',
        workspace: workspace.folder,
        text: `${file.path} imports ${specifier}`,
      }));
  });
}

export const dependencyFindings = (): Finding[] =>
  workspaces.flatMap((workspace) => [
    ...undeclared(workspace),
    ...unused(workspace),
    ...barrel(workspace),
    ...wrongDirection(workspace),
    ...leavesWorkspace(workspace),
  ]);
