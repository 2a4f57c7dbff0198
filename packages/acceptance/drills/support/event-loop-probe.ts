import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into services by `--import`: on SIGUSR2 it writes the longest delay of the event loop since the last time,
 * milliseconds, into a file named by the process' number.
 */
const folder = process.env.EVENT_LOOP_PROBE;
if (folder !== undefined && isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  process.on('SIGUSR2', () => {
    writeFileSync(join(folder, String(process.pid)), `${delays.max / 1e6}\n`);
    delays.reset();
  });
}
