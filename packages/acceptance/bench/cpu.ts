import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { services } from '@rubrica/contracts/shared/enumerations';
import { type ProcessorTime, readProcessorTime } from '@rubrica/testkit/processes';

/** CPU milliseconds by process of a stack: the services by name, all their copies together, `postgres` and `nats`. */
export type Cpu = Readonly<Record<string, number>>;

const processGroups = [...services, 'postgres', 'nats'] as const;

interface StackChild {
  readonly name: string;
  readonly pid: number;
}

/** Reads the CPU time so far of the stack's processes in this data folder, including their descendants. */
export async function readCpu(home: string): Promise<Cpu> {
  const children = await readChildren(home);
  const seen = await readProcesses();
  const used = new Map<string, number>(processGroups.map((name) => [name, 0]));
  for (const { name, pid } of children) {
    const group = processGroups.find((one) => name.startsWith(one));
    if (group !== undefined) used.set(group, (used.get(group) ?? 0) + familyMs(pid, seen));
  }
  return Object.fromEntries(used);
}

/** Reads the processes that the stack in this data folder has started, copies by number: `intake`, `intake-2`. */
export async function readChildren(home: string): Promise<readonly StackChild[]> {
  const text = await readFile(join(home, 'state', 'run.json'), 'utf8');
  return (JSON.parse(text) as { readonly children: readonly StackChild[] }).children;
}

function familyMs(root: number, seen: ReadonlyMap<number, ProcessorTime>): number {
  const own = seen.get(root);
  if (own === undefined) return 0;
  const below = [...seen].filter(([, { parent }]) => parent === root).map(([pid]) => familyMs(pid, seen));
  return below.reduce((sum, ms) => sum + ms, own.ownMs + own.endedMs);
}

async function readProcesses(): Promise<Map<number, ProcessorTime>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const read = pids.map(async (pid) => [pid, await readProcessorTime(pid)] as const);
  return new Map(
    (await Promise.all(read)).flatMap(([pid, time]) => (time === undefined ? [] : [[pid, time]])),
  );
}

export function usedBetween(before: Cpu, after: Cpu): Cpu {
  return Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]));
}

export function sumCpu(cpu: Cpu): number {
  return Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
}

/** Waits until the stack is idle: work that a call leaves behind belongs to its cost. */
export async function awaitIdle(home: string, deadlineMs = 180_000): Promise<Cpu> {
  const deadline = performance.now() + deadlineMs;
  for (let last = await readCpu(home), quiet = 0; ; ) {
    await delay(1_000);
    const now = await readCpu(home);
    // Sweepers, relays and key generation never stop entirely.
    quiet = sumCpu(usedBetween(last, now)) < 150 ? quiet + 1 : 0;
    if (quiet === 2 || performance.now() > deadline) return now;
    last = now;
  }
}
