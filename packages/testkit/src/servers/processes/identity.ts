import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * One process, distinguished from a later one with the same number. `startedAt` is opaque: compare it, never parse it.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** Identifies a running process; undefined if there is none, or only its remains (a zombie). */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? linuxStart(pid) : portableStart(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Checks if the recorded process itself still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in field 2 may contain spaces and parentheses, so fields are counted from the last one (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${bootId()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Reads the boot's id, which makes ticks unique: they repeat after a reboot. */
function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function portableStart(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' ? undefined : line;
  } catch {
    return undefined;
  }
}
