import { join } from 'node:path';
import { run } from './run.ts';

/** buildah with its own store: the machine's images are neither read nor changed. */
export interface Engine {
  /**
   * Runs buildah.
   * @returns its output
   */
  buildah(...args: string[]): Promise<string>;
}

/**
 * Opens the engine. `STORAGE_DRIVER` selects another storage of layers than copies of folders, which works everywhere.
 */
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

/** Only the image of the tools runs npm, which prefers its cache. */
const searchPath = 'PATH=/usr/local/bin:/usr/bin:/bin';
export const toolsEnvironment = ['HOME=/root', 'npm_config_prefer_offline=true'];

/** Creates an image with one layer, the content of the folder. */
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
