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
  /** A stack takes these as its own. Each leads to the version of its service that was chosen last. */
  readonly folders: Built;
  /** What is started from now on is of this version; what runs goes on as it is. */
  choose(service: keyof Built, version: Version): Promise<void>;
}

/** Every service built of the newest release and of these sources. All begin as the present ones: their migrations come first. */
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

/** Gives the roles what `deploy/postgres/roles.sql` leaves them beside release 0.1.0: the stack's schema is the present one already. */
export async function allowFormerLocks(stack: Pick<Stack, 'info'>): Promise<void> {
  const roles = databaseServiceSchema.options.map((service) => `rubrica_${service}`).join(', ');
  await queryStack(
    stack,
    `grant execute on function pg_try_advisory_lock(bigint), pg_try_advisory_xact_lock(bigint),
       pg_advisory_xact_lock(bigint) to ${roles}`,
  );
}

/** By the release's own builder, which keeps what it has built. */
async function buildFormer({ folder }: FormerRelease): Promise<Built> {
  const program = `import { builtServices } from './packages/build/src/index.ts';
process.stdout.write(JSON.stringify(await builtServices()));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder });
  return JSON.parse(stdout) as Built;
}
