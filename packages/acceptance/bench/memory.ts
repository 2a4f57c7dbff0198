import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Reads the resident memory of a process in MB (10^6 bytes). */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  const kibibytes = status === undefined ? await askPs(pid) : Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1]);
  return (kibibytes * 1024) / 1e6;
}

/** Asks ps, on systems without /proc such as macOS. */
async function askPs(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.trim());
}
