import { readFile } from 'node:fs/promises';

/** Processor time in µs. */
export interface Cpu {
  readonly caller: number;
  readonly server: number;
  readonly natsServer: number;
}

/** What `/proc` counts in, 100 a second on every Linux there is. */
const tickUs = 10_000;

/** What the processes have used so far. */
export async function readCpu(pids: Readonly<Record<keyof Cpu, number>>): Promise<Cpu> {
  const { caller, server, natsServer } = pids;
  return { caller: await usedBy(caller), server: await usedBy(server), natsServer: await usedBy(natsServer) };
}

export function usedBetween(before: Cpu, after: Cpu): Cpu {
  return {
    caller: after.caller - before.caller,
    server: after.server - before.server,
    natsServer: after.natsServer - before.natsServer,
  };
}

async function usedBy(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickUs;
}
