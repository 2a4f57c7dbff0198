import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { locateNatsServer } from './nats/index.ts';
import { binDirectory, scratchDirectory } from './scratch.ts';

export interface StackHome extends AsyncDisposable {
  /** For files of the test. */
  readonly folder: string;
  /** RUBRICA_HOME. */
  readonly home: string;
  /** Tells where PostgreSQL keeps its data, which as root is outside the home, so that they go too. */
  remember(databaseUrl: string): Promise<void>;
}

/**
 * A data folder for one stack, which is gone with the test. nats-server is shared, not unpacked again, and so are
 * the services' compiled sources.
 */
export async function stackHome(label: string): Promise<StackHome> {
  const scratch = await scratchDirectory(label);
  const home = join(scratch.path, 'home');
  const elsewhere: string[] = [];
  const natsServer = await locateNatsServer({ binDirectory });
  await mkdir(home, { mode: 0o700 });
  if (natsServer.startsWith(binDirectory)) await symlink(binDirectory, join(home, 'bin'));
  const compileCache = process.env.NODE_COMPILE_CACHE;
  if (compileCache !== undefined) {
    await mkdir(join(home, 'cache'));
    await mkdir(compileCache, { recursive: true });
    await symlink(compileCache, join(home, 'cache', 'node'));
  }
  return {
    folder: scratch.path,
    home,
    async remember(databaseUrl) {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      const { rows } = await client.query('show data_directory');
      await client.end();
      elsewhere.push(rows[0].data_directory);
    },
    async [Symbol.asyncDispose]() {
      for (const path of elsewhere) await rm(path, { recursive: true, force: true, maxRetries: 5 });
      await scratch[Symbol.asyncDispose]();
    },
  };
}
