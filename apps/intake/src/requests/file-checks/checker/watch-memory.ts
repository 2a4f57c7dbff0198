import { readFileSync } from 'node:fs';

const intervalMs = 25;

/**
 * Watches the memory of a process until stopped. If the system does not show the memory, the watch never
 * reports.
 */
export function watchMemory(pid: number | undefined, maxBytes: number, onExceeded: () => void): () => void {
  const timer = setInterval(() => {
    if (readUsedBytes(pid) > maxBytes) onExceeded();
  }, intervalMs);
  return () => clearInterval(timer);
}

/**
 * Reads the used memory synchronously: under load an asynchronous read comes too late. The file is a few
 * lines that the kernel generates.
 */
function readUsedBytes(pid: number | undefined): number {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
