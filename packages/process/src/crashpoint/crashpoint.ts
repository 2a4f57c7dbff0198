import { unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Kills the process at the named point if a test has armed it; otherwise does nothing. */
export type Crashpoint = (name: string) => void;

/**
 * Creates the crash points of a process.
 * @param directory folder in which a test arms a point by creating a file with its name; undefined: no point can ever
 * fire
 */
function createCrashpoint(directory: string | undefined): Crashpoint {
  if (!directory) return () => undefined;
  return (name) => {
    // Removing the file claims the crash: of several copies that reach the point together exactly one dies, and the
    // copy started to replace it passes.
    try {
      unlinkSync(join(directory, name));
    } catch {
      return;
    }
    process.kill(process.pid, 'SIGKILL');
    // The signal is in delivery: no further statement may run, or the test would prove something else.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
}

/**
 * Crash points of this process, armed by `CRASHPOINT_DIR`. It reads the environment itself, once: passing it through
 * every factory would put test plumbing into each signature.
 */
export const crashpoint: Crashpoint = createCrashpoint(process.env.CRASHPOINT_DIR);
