import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Means by which a process that decodes strangers' files is separated from network, files and other
 * processes. `container`: its container does it. `none`: this machine has no means.
 */
export type Isolation = 'bwrap' | 'unshare' | 'container' | 'none';

const run = promisify(execFile);
const isolateScript = fileURLToPath(new URL('isolate.sh', import.meta.url));

/** Paths that programs are linked to. */
const systemPaths = ['/usr/lib', '/usr/lib64', '/lib', '/lib64', '/etc/ld.so.cache', '/nix/store'];
const setpriv = '/usr/bin/setpriv';

type Wrap = (command: readonly string[], readablePaths: readonly string[]) => readonly string[];

/** Commands that isolate. Namespaces bind native code too, which Node's permission model does not. */
const wraps: Readonly<Record<Isolation, Wrap>> = {
  bwrap: (command, paths) => [
    ...['bwrap', '--unshare-all', '--die-with-parent', '--as-pid-1', '--cap-drop', 'ALL', '--clearenv'],
    ...paths.flatMap((path) => ['--ro-bind', path, path]),
    ...['--remount-ro', '/', '--', ...command],
  ],
  unshare: (command, paths) => [
    ...['unshare', '--user', '--map-root-user', '--mount', '--net', '--ipc', '--uts', '--cgroup'],
    ...['--pid', '--fork', '--kill-child', '--', '/bin/sh', isolateScript, findCoveredFolder(paths)],
    ...[setpriv, ...paths, '--', ...command],
  ],
  container: (command) => command,
  none: (command) => command,
};

/**
 * Builds the command line that runs `command` with nothing of this machine but `readablePaths`, as far as
 * `isolation` goes.
 */
export function isolateCommand(
  isolation: Isolation,
  command: readonly string[],
  readablePaths: readonly string[],
): readonly string[] {
  const system = systemPaths.filter((path) => existsSync(path));
  return wraps[isolation](command, withoutNested([...system, process.execPath, ...readablePaths]));
}

/** Finds the first means that works here. */
export async function findIsolation(): Promise<Isolation> {
  for (const isolation of ['bwrap', 'unshare'] as const) if (await isWorking(isolation)) return isolation;
  return 'none';
}

/** Tries a means of isolation: a kernel, a profile or a container may forbid namespaces. */
export async function isWorking(isolation: Isolation): Promise<boolean> {
  const [file = '', ...args] = isolateCommand(isolation, [process.execPath, '--version'], []);
  try {
    await run(file, args, { env: {}, timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds the folder that the new root covers. It is covered for the isolated process alone, so nothing that is
 * read there may be below it.
 */
function findCoveredFolder(readablePaths: readonly string[]): string {
  const candidates = ['/mnt', '/media', '/srv', '/opt', '/tmp'];
  const free = candidates.filter((folder) => !readablePaths.some((path) => isBelow(path, folder)));
  return free.find((folder) => existsSync(folder)) ?? '/mnt';
}

function withoutNested(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => isBelow(path, other)));
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(join(folder, '/'));
}
