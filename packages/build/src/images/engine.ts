import { join } from 'node:path';
import { run } from './run.ts';

/** buildah with a store of its own: nothing of the machine's images is seen or changed. */
export interface Engine {
  /** @returns what it printed */
  buildah(...args: string[]): Promise<string>;
}

/** `STORAGE_DRIVER` chooses another way to keep layers than copies of folders, which works everywhere. */
export function openEngine(folder: string): Engine {
  const driver = process.env.STORAGE_DRIVER ?? 'vfs';
  const store = [
    '--root',
    join(folder, 'store'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    driver,
  ];
  return { buildah: (...args) => run('buildah', [...store, ...args]) };
}

/** Only the tools' image runs npm, which takes from its cache what is there. */
const searchPath = 'PATH=/usr/local/bin:/usr/bin:/bin';
export const toolsEnvironment = ['HOME=/root', 'npm_config_prefer_offline=true'];

/** An image of one layer, of what lies in the folder. */
export async function imageOfRoot(
  { buildah }: Engine,
  image: {
    readonly root: string;
    readonly name: string;
    readonly timestamp: string;
    readonly environment?: readonly string[];
  },
): Promise<void> {
  const { root, name, timestamp, environment = [] } = image;
  const container = await buildah('from', 'scratch');
  try {
    await buildah('add', '--quiet', container, root, '/');
    await buildah(
      'config',
      ...[searchPath, ...environment].flatMap((setting) => ['--env', setting]),
      container,
    );
    await buildah('commit', '--quiet', '--timestamp', timestamp, container, name);
  } finally {
    await buildah('rm', container);
  }
}
