import { readFileSync } from 'node:fs';

const intervalMs = 25;

/** Looks what a process holds in memory until told to stop; where the system does not say, it looks in vain. */
export function watchMemory(pid: number | undefined, mostBytes: number, onExceeded: () => void): () => void {
  const timer = setInterval(() => {
    if (usedBytes(pid) > mostBytes) onExceeded();
  }, intervalMs);
  return () => clearInterval(timer);
}

/** Read at once, not in turn: under load the turn comes too late. It is a few lines that the kernel makes up. */
function usedBytes(pid: number | undefined): number {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
