import { readFile } from 'node:fs/promises';

/** What `/proc` counts in, 100 a second on every Linux there is. */
const tickMs = 10;

/** What a process of Linux has used of the processors so far. */
export interface ProcessorTime {
  readonly parent: number;
  readonly ownMs: number;
  /** Of children that have ended. */
  readonly endedMs: number;
}

/** Undefined where no such process runs. */
export async function readProcessorTime(pid: number): Promise<ProcessorTime | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text === '' ? undefined : parseStat(text);
}

/** A line of `/proc/<pid>/stat`; the name in it may hold anything, brackets too. */
export function parseStat(text: string): ProcessorTime {
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (at) => fields[at] ?? 0,
  );
  return {
    parent: parent ?? 0,
    ownMs: (user + system) * tickMs,
    endedMs: (endedUser + endedSystem) * tickMs,
  };
}
