import { readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { projectRoot, runProgram } from './shell.ts';

interface LockedPackage {
  readonly version?: string;
  /** True for a workspace, whose folder is `resolved`. */
  readonly link?: true;
  readonly resolved?: string;
}

async function succeeds(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, args, { cwd });
  expect(code, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

/** Prunes one workspace and the packages that it depends on, without a parent folder that could provide a module. */
export async function pruneInto(folder: string, workspace: string): Promise<void> {
  const turbo = join(projectRoot, 'node_modules/.bin/turbo');
  await succeeds(turbo, ['prune', workspace, '--out-dir', folder], projectRoot);
}

/** Builds the content of an image from these sources, for the gateway with the documentation. */
export async function buildInto(folder: string, { service, root }: { service: string; root: string }) {
  const builder = join(projectRoot, 'packages/build/src/main.ts');
  const docs = service === 'gateway' ? [`docs=${join(folder, 'site')}`] : [];
  await succeeds(process.execPath, [builder, '--root', root, `${service}=${folder}`, ...docs], root);
}

/**
 * Installs what `npm ci --omit=dev` would. npm checks the lock file and reports what it would install where. The files
 * come from this project's own installation: unpacking them again for each service takes npm ten times as long.
 */
export async function installProduction(folder: string): Promise<void> {
  const dryRun = ['ci', '--dry-run', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const report = await succeeds('npm', [...dryRun, '--prefer-offline'], folder);
  const added = new Set(Array.from(report.matchAll(/^add (\S+ \S+)$/gm), ([, name]) => name));
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const locked = Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/'));
  const installed = locked.filter(([path, { version }]) => added.has(`${readName(path)} ${version}`));
  expect(new Set(installed.map(([path]) => readName(path))).size).toBeGreaterThan(20);
  // Hard links if one file system contains both; packages inside another come with it.
  const paths = installed.map(([path]) => path).filter((path) => path.split('node_modules/').length === 2);
  const copy = (how: string) => runProgram('cp', [how, '--parents', ...paths, folder], { cwd: projectRoot });
  if ((await copy('-al')).code !== 0)
    await succeeds('cp', ['-a', '--parents', ...paths, folder], projectRoot);
  for (const [path, { link, resolved }] of locked) {
    if (link === undefined || resolved === undefined) continue;
    const up = path
      .split('/')
      .slice(1)
      .map(() => '..');
    await succeeds('mkdir', ['-p', dirname(join(folder, path))], folder);
    await symlink(join(...up, resolved), join(folder, path));
  }
}

function readName(path: string): string {
  const scope = basename(dirname(path));
  return scope.startsWith('@') ? `${scope}/${basename(path)}` : basename(path);
}
