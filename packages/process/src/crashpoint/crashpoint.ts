import { unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Kills the process there if a test has armed the point of that name; else does nothing. */
export type Crashpoint = (name: string) => void;

/**
 * @param directory folder in which a test arms a point by creating a file of its name; undefined: no point
 *   can ever fire
 */
export function createCrashpoint(directory: string | undefined): Crashpoint {
  if (!directory) return () => undefined;
  return (name) => {
    // Removing the file is the claim: of several copies that reach the point together exactly one dies, and
    // the one that is started in its place passes.
    try {
      unlinkSync(join(directory, name));
    } catch {
      return;
    }
    process.kill(process.pid, 'SIGKILL');
    // The signal is on its way: not one more statement may run, or the test would prove something else.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
}

/**
 * The crash point of this process, armed by `CRASHPOINT_DIR`. It reads the environment itself, once:
 * passing it through every factory would put test plumbing into each signature on the way.
 */
export const crashpoint: Crashpoint = createCrashpoint(process.env.CRASHPOINT_DIR);
