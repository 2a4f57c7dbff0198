import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeJson } from './service-keys.ts';

const run = promisify(execFile);

export interface Provisioning {
  /** The service's `src/main.ts`. */
  readonly main: URL;
  /** Other command that needs the rights of the schema's owner; `provision` by default. */
  readonly command?: string;
  /** Content of SEED_FILE. */
  readonly seed?: unknown;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs the step as a release does: in its own process, with the rights of the schema's owner.
 * @returns its log
 */
export async function runProvision(
  { main, command = 'provision', seed, env = {} }: Provisioning,
  { ownerUrl, folder }: { ownerUrl: string; folder: string },
): Promise<string> {
  const seedFile = seed === undefined ? undefined : await writeJson(join(folder, 'seed.json'), seed);
  for (const needed of [env.CRASHPOINT_DIR, env.CA_DIRECTORY]) {
    if (needed !== undefined) await mkdir(needed, { recursive: true });
  }
  const { stdout } = await run(process.execPath, [fileURLToPath(main), command], {
    env: {
      PATH: process.env.PATH ?? '',
      ...env,
      DATABASE_OWNER_URL: ownerUrl,
      ...(seedFile === undefined ? {} : { SEED_FILE: seedFile }),
    },
  });
  return stdout;
}
