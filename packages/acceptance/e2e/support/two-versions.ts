import { execFile } from 'node:child_process';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Built, builtServices } from '@rubrica/build';
import { databaseServiceSchema } from '@rubrica/contracts/shared/enumerations';
import type { Stack } from '@rubrica/stack';
import { scratchDirectory } from '@rubrica/testkit';
import { type FormerRelease, formerRelease } from '@rubrica/testkit/former-release';
import { queryStack } from './ledger.ts';

const run = promisify(execFile);

export type Version = 'former' | 'present';

export interface TwoVersions extends AsyncDisposable {
  /** Folders that a stack uses as its own. Each leads to the most recently chosen version of its service. */
  readonly folders: Built;
  /** Chooses the version of processes that start from now on; running ones continue unchanged. */
  choose(service: keyof Built, version: Version): Promise<void>;
}

/**
 * Builds every service from the newest release and from these sources. All start as the current version: their
 * migrations come first.
 */
export async function twoVersions(): Promise<TwoVersions> {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(await scratchDirectory('versions'));
  const built: Record<Version, Built> = {
    former: await buildFormer(await formerRelease()),
    present: await builtServices(),
  };
  const services = Object.keys(built.present) as (keyof Built)[];
  const choose = async (service: keyof Built, version: Version) => {
    const link = join(path, service);
    await symlink(built[version][service], `${link}.next`);
    await rename(`${link}.next`, link);
  };
  for (const service of services) await choose(service, 'present');
  const owned = resources.move();
  return {
    folders: Object.fromEntries(services.map((service) => [service, join(path, service)])) as Built,
    choose,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Grants the roles the rights that `deploy/postgres/roles.sql` leaves them beside release 0.1.0: the stack already has
 * the current schema.
 */
export async function allowFormerLocks(stack: Pick<Stack, 'info'>): Promise<void> {
  const roles = databaseServiceSchema.options.map((service) => `rubrica_${service}`).join(', ');
  await queryStack(
    stack,
    `grant execute on function pg_try_advisory_lock(bigint), pg_try_advisory_xact_lock(bigint),
       pg_advisory_xact_lock(bigint) to ${roles}`,
  );
}

/** Builds with the release's own builder, which caches its builds. */
async function buildFormer({ folder }: FormerRelease): Promise<Built> {
  const program = `import { builtServices } from './packages/build/src/index.ts';
process.stdout.write(JSON.stringify(await builtServices()));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder });
  return JSON.parse(stdout) as Built;
}
