import { readFile } from 'node:fs/promises';

/** Unit of `/proc`: 100 per second on every Linux. */
const tickMs = 10;

/** Processor time of a Linux process so far. */
export interface ProcessorTime {
  readonly parent: number;
  readonly ownMs: number;
  /** Time of children that have ended. */
  readonly endedMs: number;
}

/** Reads the processor time; undefined if no such process runs. */
export async function readProcessorTime(pid: number): Promise<ProcessorTime | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text === '' ? undefined : parseStat(text);
}

/** Parses a line of `/proc/<pid>/stat`; the name in it may contain any character, brackets too. */
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
