import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { MissingPiece } from '../processes/missing-piece.ts';

const run = promisify(execFile);

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Finds the account that runs PostgreSQL. It refuses to run as root, so root uses the system's `postgres` user, created
 * if missing. Other users run it themselves (undefined).
 */
export async function postgresAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await findAccount();
  if (existing !== undefined) return existing;
  await createAccount();
  const created = await findAccount();
  if (created === undefined) throw cannotCreate();
  return created;
}

async function findAccount(): Promise<Account | undefined> {
  const passwd = await readFile('/etc/passwd', 'utf8');
  const line = passwd.split('\n').find((entry) => entry.startsWith('postgres:'));
  if (line !== undefined) {
    const [, , uid, gid] = line.split(':');
    return { uid: Number(uid), gid: Number(gid) };
  }
  // A directory service may have the user although the file does not.
  try {
    const uid = Number((await run('id', ['-u', 'postgres'])).stdout);
    const gid = Number((await run('id', ['-g', 'postgres'])).stdout);
    return { uid, gid };
  } catch {
    return undefined;
  }
}

async function createAccount(): Promise<void> {
  const args = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'];
  try {
    await run('useradd', ['--home-dir', '/var/lib/rubrica', ...args]);
  } catch (cause) {
    // If two stacks start together, the other may have been faster.
    if ((await findAccount()) === undefined) throw cannotCreate(cause);
  }
}

function cannotCreate(cause?: unknown): MissingPiece {
  return new MissingPiece(
    'PostgreSQL does not run as root and the system user "postgres" could not be made.',
    'Make it with: useradd --system --user-group --no-create-home postgres\nor run this command as an ordinary user.',
    { cause },
  );
}
