import { readProcessorTime } from '@rubrica/testkit/processes';

/** Processor time in µs. */
export interface Cpu {
  readonly caller: number;
  readonly server: number;
  readonly natsServer: number;
}

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
  return ((await readProcessorTime(pid))?.ownMs ?? 0) * 1_000;
}
