import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../e2e/support/poll.ts';

/** Use of a process until an event was over. */
export interface Seen {
  readonly what: string;
  /** Resident memory at the start and its maximum since, in MB of 10^6 octets. */
  readonly idleMb: number;
  readonly mostMb: number;
  /** Longest block of the event loop since the last measurement. */
  readonly delayMs: number;
  /** Most CPU of its thread in such a block: the part that the process itself causes. */
  readonly cpuMs: number;
}

/**
 * Watches generation and gateway, which have loaded `event-loop-probe.ts`. The kernel itself counts the maximum of
 * memory, so no peak is missed; only Linux offers it.
 * @param folder folder of the probe's files
 */
export async function watchProcesses(
  services: Readonly<Record<'generation' | 'gateway', { readonly pid: number }>>,
  folder: string,
): Promise<{ seen(what: string): Promise<Seen[]> }> {
  const { generation, gateway } = services;
  const watched = await Promise.all(
    Object.entries({ generation, gateway }).map(async ([name, { pid }]) => {
      await heldUp(pid, folder);
      // Resets the maximum of memory (proc(5)).
      await writeFile(`/proc/${pid}/clear_refs`, '5');
      return { name, pid, idleMb: (await memory(pid)).VmRSS };
    }),
  );
  return {
    seen: (what) =>
      Promise.all(
        watched.map(async ({ name, pid, idleMb }) => {
          const { VmHWM: mostMb } = await memory(pid);
          return { what: `${name}: ${what}`, idleMb, mostMb, ...(await heldUp(pid, folder)) };
        }),
      ),
  };
}

async function memory(pid: number): Promise<{ VmRSS: number; VmHWM: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) =>
    (Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) * 1024) / 1e6;
  return { VmRSS: read('VmRSS'), VmHWM: read('VmHWM') };
}

async function heldUp(pid: number, folder: string): Promise<Pick<Seen, 'delayMs' | 'cpuMs'>> {
  const file = join(folder, String(pid));
  await rm(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const text = await until('what the probe writes', () =>
    readFile(file, 'utf8').then(
      (written) => (written.endsWith('\n') ? written : undefined),
      () => undefined,
    ),
  );
  return JSON.parse(text);
}
