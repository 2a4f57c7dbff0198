import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { locateNatsServer } from './nats/index.ts';
import { binDirectory, scratchDirectory } from './scratch.ts';

export interface StackHome extends AsyncDisposable {
  /** Folder for files of the test. */
  readonly folder: string;
  /** RUBRICA_HOME. */
  readonly home: string;
  /** Registers PostgreSQL's data folder for removal; for root it is outside the home. */
  remember(databaseUrl: string): Promise<void>;
}

/**
 * Creates a data folder for one stack, which ends with the test. nats-server and the services' compiled sources are
 * shared, not unpacked again.
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
