import { readFileSync } from 'node:fs';

/**
 * Finds the process that works behind those that isolate it, which wait for it. Where the kernel does not list children,
 * it is the given one: its memory is then bounded by RLIMIT_DATA alone.
 */
export function findWorker(pid: number): number {
  const child = Number(readChildren(pid).split(' ')[0]);
  return child > 0 ? findWorker(child) : pid;
}

function readChildren(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  } catch {
    return '';
  }
}
