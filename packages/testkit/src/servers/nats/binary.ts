import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { MissingPiece } from '../processes/missing-piece.ts';
import { unpackDebianPackage } from './debian-package.ts';

/**
 * nats-server from PATH, else from `binDirectory`, else unpacked there from the distribution's package.
 * Throws `MissingPiece` that names the ways to get it.
 */
export async function locateNatsServer(options: {
  binDirectory: string;
  /** Further folders to look into before anything is downloaded. */
  alsoIn?: readonly string[];
  onProgress?: ((text: string) => void) | undefined;
  path?: string | undefined;
}): Promise<string> {
  const unpacked = join(options.binDirectory, 'nats-server');
  // Debian installs servers under sbin, which an ordinary user's PATH lacks.
  const folders = options.path?.split(delimiter) ?? [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
  ];
  const candidates = folders.filter((folder) => folder !== '').map((folder) => join(folder, 'nats-server'));
  const others = (options.alsoIn ?? []).map((folder) => join(folder, 'nats-server'));
  for (const candidate of [...candidates, unpacked, ...others])
    if (await isExecutable(candidate)) return candidate;
  try {
    await unpackDebianPackage({ target: unpacked, onProgress: options.onProgress });
    return unpacked;
  } catch (cause) {
    const reason = ((cause as { stderr?: string }).stderr || (cause as Error).message).trim();
    throw new MissingPiece(
      'nats-server was not found on PATH and could not be unpacked from the Debian or Ubuntu package.',
      [
        'Any one of these helps:',
        '  apt-get install nats-server        (Debian, Ubuntu; as root)',
        '  brew install nats-server           (macOS)',
        '  put the nats-server program of your choice (2.9 or later) on PATH',
        '  set NATS_URL to a NATS server with JetStream that you run yourself',
        `What went wrong: ${reason}`,
      ].join('\n'),
      { cause },
    );
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
