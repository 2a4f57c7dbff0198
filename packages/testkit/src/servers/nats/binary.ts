import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { MissingPiece } from '../processes/missing-piece.ts';
import { unpackDebianPackage } from './debian-package.ts';

const run = promisify(execFile);

interface LocateOptions {
  readonly binDirectory: string;
  /** Further folders to search before a download. */
  readonly alsoIn?: readonly string[];
  readonly onProgress?: ((text: string) => void) | undefined;
  readonly path?: string | undefined;
}

/** Version of Debian 13; stored beside that of an older distribution. */
const preferred = 'nats-server-2.10.27';
const distributionName = 'nats-server';
/** Time for which a failed download of the preferred version is remembered. */
const retryAfterMs = 24 * 60 * 60 * 1_000;

/**
 * Locates nats-server: in PATH if it is 2.10.27 or later; else that of Debian 13, unpacked into `binDirectory`. The
 * last choice is an older one from PATH or this distribution, which suffices on loopback. Throws `MissingPiece` with
 * the ways to install it.
 */
export async function locateNatsServer(wanted: LocateOptions): Promise<string> {
  const onPath = await firstExecutable(pathFolders(wanted.path), distributionName);
  if (onPath !== undefined && (await isRecent(onPath))) return onPath;
  const folders = [wanted.binDirectory, ...(wanted.alsoIn ?? [])];
  const recent = (await firstExecutable(folders, preferred)) ?? (await unpackPreferred(wanted));
  return recent ?? onPath ?? (await firstExecutable(folders, distributionName)) ?? unpackOlder(wanted);
}

/** Lists the folders of PATH. Debian installs servers under sbin, which an ordinary user's PATH lacks. */
function pathFolders(path: string | undefined): string[] {
  const folders = path?.split(delimiter) ?? [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
  ];
  return folders.filter((folder) => folder !== '');
}

async function firstExecutable(folders: readonly string[], name: string): Promise<string | undefined> {
  for (const folder of folders) {
    const file = join(folder, name);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

/**
 * Checks for 2.10.27 or later, of 2.11 at least 2.11.1: versions that services accept from a server that is not on
 * loopback.
 */
async function isRecent(binary: string): Promise<boolean> {
  const { stdout } = await run(binary, ['--version'], { timeout: 10_000 }).catch(() => ({ stdout: '' }));
  const [, minor = 0, patch = 0] = (/v2\.(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  return minor > 11 || (minor === 11 && patch >= 1) || (minor === 10 && patch >= 27);
}

/** Unpacks the preferred version; undefined if Debian's archive cannot be reached or used. It retries a day later. */
async function unpackPreferred({ binDirectory, onProgress }: LocateOptions): Promise<string | undefined> {
  const target = join(binDirectory, preferred);
  const failed = `${target}.failed`;
  const failedAt = await stat(failed).catch(() => undefined);
  if (failedAt !== undefined && Date.now() - failedAt.mtimeMs < retryAfterMs) return undefined;
  try {
    await unpackDebianPackage({ target, suite: 'trixie', onProgress });
    return target;
  } catch (error) {
    await mkdir(binDirectory, { recursive: true });
    await writeFile(failed, toReason(error));
    return undefined;
  }
}

async function unpackOlder({ binDirectory, onProgress }: LocateOptions): Promise<string> {
  const target = join(binDirectory, distributionName);
  try {
    await unpackDebianPackage({ target, onProgress });
    return target;
  } catch (cause) {
    throw new MissingPiece(
      'nats-server was not found on PATH and could not be unpacked from the Debian or Ubuntu package.',
      [
        'Any one of these helps:',
        '  apt-get install nats-server        (Debian, Ubuntu; as root)',
        '  brew install nats-server           (macOS)',
        '  put the nats-server program of your choice (2.10.27 or later) on PATH',
        '  set NATS_URL to a NATS server with JetStream that you run yourself',
        `What went wrong: ${toReason(cause)}`,
      ].join('\n'),
      { cause },
    );
  }
}

function toReason(error: unknown): string {
  return ((error as { stderr?: string }).stderr || (error as Error).message).trim();
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
