import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * Preload script, loaded into services by `--import`. On SIGUSR2 it writes two values in milliseconds into a file named
 * after the process' number. One is the longest block of the event loop since the last signal. The other is the most
 * CPU that its thread used in such a block, which a busy machine does not increase.
 */
const folder = process.env.EVENT_LOOP_PROBE;
if (folder !== undefined && isMainThread) {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let last = { at: performance.now(), cpu: cpuMs() };
  let most = { delayMs: 0, cpuMs: 0 };
  const look = () => {
    const now = { at: performance.now(), cpu: cpuMs() };
    most = {
      delayMs: Math.max(most.delayMs, now.at - last.at),
      cpuMs: Math.max(most.cpuMs, now.cpu - last.cpu),
    };
    last = now;
  };
  setInterval(look, 1).unref();
  process.on('SIGUSR2', () => {
    look();
    writeFileSync(join(folder, String(process.pid)), `${JSON.stringify(most)}\n`);
    most = { delayMs: 0, cpuMs: 0 };
  });
}
