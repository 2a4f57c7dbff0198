import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into services by `--import`: on SIGUSR2 it writes the longest that the event loop was held up since the last time,
 * and the most CPU that its thread used in such a time, which a busy machine does not make longer; milliseconds, into a
 * file named by the process' number.
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
