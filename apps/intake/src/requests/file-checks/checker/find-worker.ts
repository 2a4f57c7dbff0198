import { readFileSync } from 'node:fs';

/**
 * Finds the working process behind those that isolate it, which wait for it. If the kernel does not list
 * children, it is the given one: then RLIMIT_DATA alone limits its memory.
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
