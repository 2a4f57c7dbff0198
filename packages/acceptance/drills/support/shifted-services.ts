import { cp, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Built, builtServices } from '@rubrica/build';
import { scratchDirectory } from '@rubrica/testkit';
import { shiftedClock } from '@rubrica/testkit/processes';

export interface ShiftedServices extends AsyncDisposable {
  /** Folders that a stack uses as its own. */
  readonly folders: Built;
  /**
   * Shifts the clock of processes that start from now on, behind with a negative number; running ones continue
   * unchanged.
   */
  shift(service: keyof Built, aheadMs: number): Promise<void>;
}

/** Builds every service into a place where further copies may get a wrong clock. */
export async function shiftedServices(): Promise<ShiftedServices> {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(await scratchDirectory('clocks'));
  const built = await builtServices();
  const services = Object.keys(built) as (keyof Built)[];
  const lead = async (service: keyof Built, to: string) => {
    const link = join(path, service);
    await symlink(to, `${link}.next`);
    await rename(`${link}.next`, link);
  };
  for (const service of services) await lead(service, built[service]);
  const owned = resources.move();
  return {
    folders: Object.fromEntries(services.map((service) => [service, join(path, service)])) as Built,
    async shift(service, aheadMs) {
      if (aheadMs === 0) return lead(service, built[service]);
      const copy = join(path, `${service}${aheadMs}`);
      await cp(built[service], copy, { recursive: true });
      await rename(join(copy, 'main.mjs'), join(copy, 'on-time.mjs'));
      await writeFile(join(copy, 'main.mjs'), renderStart(aheadMs));
      await lead(service, copy);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function renderStart(aheadMs: number): string {
  const { NODE_OPTIONS = '', CLOCK_SHIFT_MS } = shiftedClock(aheadMs);
  const preload = NODE_OPTIONS.replace('--import=', '');
  return `process.env.CLOCK_SHIFT_MS = '${CLOCK_SHIFT_MS}';
await import(${JSON.stringify(preload)});
await import(${JSON.stringify('./on-time.mjs')});
`;
}
