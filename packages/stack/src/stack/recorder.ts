import { rm } from 'node:fs/promises';
import { identifyProcess, type ProcessIdentity } from '@rubrica/testkit/processes';
import { replaceJson } from '../setup/files.ts';
import type { Home } from '../setup/home.ts';
import { writeRunRecord } from '../supervision/run-record.ts';
import type { StackInfo } from './stack-info.ts';

export interface Recorder {
  /** Registers a process. The next start ends it if this one does not. */
  track(name: string, identity: () => ProcessIdentity | undefined): void;
  /** Updates both files after a process was started, became ready or ended. */
  changed(): void;
  /**
   * Sets the source of `stack.json` once all was ready for the first time. It returns `undefined` while a process
   * restarts.
   */
  describeWith(describe: () => StackInfo | undefined): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Maintains `run.json`, and once available `stack.json`, so that they match the running processes. */
export function createRecorder(home: Home): Recorder {
  const tracked: Array<{ name: string; identity: () => ProcessIdentity | undefined }> = [];
  const supervisor = identifyProcess(process.pid) as ProcessIdentity;
  let describe: () => StackInfo | undefined = () => undefined;
  let closed = false;
  let queue = Promise.resolve();
  let waiting = false;
  const write = async () => {
    waiting = false;
    if (closed) return;
    const children = tracked.flatMap(({ name, identity }) => {
      const found = identity();
      return found === undefined ? [] : [{ name, ...found }];
    });
    await writeRunRecord(home, { supervisor, children });
    const info = describe();
    if (info !== undefined) await replaceJson(home.infoFile, info);
  };
  const changed = () => {
    if (waiting || closed) return;
    waiting = true;
    // A full disk must not end the supervisor; the next change triggers another attempt.
    queue = queue.then(write).catch(() => undefined);
  };
  return {
    track(name, identity) {
      tracked.push({ name, identity });
      changed();
    },
    changed,
    describeWith(next) {
      describe = next;
      changed();
    },
    flush: () => queue,
    async close() {
      closed = true;
      await queue;
      await rm(home.infoFile, { force: true });
      await rm(home.runFile, { force: true });
    },
  };
}
