import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Child, ProcessIdentity } from '@rubrica/testkit/processes';

export interface Launched {
  readonly child: Child;
  isReady(): Promise<boolean>;
}

export interface ManagedProcessOptions {
  /** Name such as `intake-2`. */
  readonly name: string;
  readonly logFile: string;
  launch(): Promise<Launched>;
  /** Called after each start, readiness and end. */
  onChange(): void;
  readonly readyDeadlineMs?: number;
}

export interface ManagedProcess {
  readonly name: string;
  /** Resolves at the first readiness; rejects if it never came. */
  readonly ready: Promise<void>;
  isReady(): boolean;
  identity(): ProcessIdentity | undefined;
  /** Ends the current process, which then restarts. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  stop(deadlineMs: number): Promise<void>;
}

export class StartFailure extends Error {}

const firstStartAttempts = 3;
const maxPauseMs = 10_000;
/** After this long, a death counts as the first again. */
const stableAfterMs = 30_000;

/** Keeps one process running: it restarts after any end, sooner if deaths are rarer. */
export function manageProcess(options: ManagedProcessOptions): ManagedProcess {
  const stopping = new AbortController();
  const first = Promise.withResolvers<void>();
  // Callers that wait see the failure; without a caller it must not end the supervisor.
  first.promise.catch(() => undefined);
  let child: Child | undefined;
  let ready = false;
  const changed = (state: { child?: Child | undefined; ready: boolean }) => {
    child = state.child;
    ready = state.ready;
    options.onChange();
  };
  const finished = keepRunning({ ...options, stopping: stopping.signal, changed, first }).catch((error) =>
    first.reject(error),
  );
  return {
    name: options.name,
    ready: first.promise,
    isReady: () => ready,
    identity: () => child?.identity,
    async kill(signal = 'SIGKILL') {
      const target = child;
      target?.signal(signal);
      await target?.exited;
    },
    async stop(deadlineMs) {
      stopping.abort();
      await child?.stop({ signal: 'SIGTERM', deadlineMs });
      await finished;
    },
  };
}

interface Loop extends ManagedProcessOptions {
  readonly stopping: AbortSignal;
  changed(state: { child?: Child | undefined; ready: boolean }): void;
  readonly first: PromiseWithResolvers<void>;
}

async function keepRunning(loop: Loop): Promise<void> {
  let everReady = false;
  for (let deaths = 0; !loop.stopping.aborted; ) {
    const startedAt = performance.now();
    const { child, isReady } = await loop.launch();
    loop.changed({ child, ready: false });
    // A stop during the start found no process to end.
    if (loop.stopping.aborted) await child.stop({ signal: 'SIGTERM', deadlineMs: 5_000 });
    if (await becomesReady({ loop, child, isReady })) {
      everReady = true;
      loop.changed({ child, ready: true });
      loop.first.resolve();
    }
    await child.exited;
    loop.changed({ ready: false });
    if (loop.stopping.aborted) return;
    deaths = performance.now() - startedAt > stableAfterMs ? 1 : deaths + 1;
    if (!everReady && deaths >= firstStartAttempts) throw await startFailure(loop);
    const pauseMs = Math.min(100 * 2 ** (deaths - 1), maxPauseMs);
    await delay(pauseMs, undefined, { signal: loop.stopping }).catch(() => undefined);
  }
}

async function becomesReady(context: {
  loop: Loop;
  child: Child;
  isReady(): Promise<boolean>;
}): Promise<boolean> {
  const { loop, child, isReady } = context;
  const deadline = performance.now() + (loop.readyDeadlineMs ?? 60_000);
  while (child.exit() === undefined && !loop.stopping.aborted) {
    if (await isReady()) return true;
    if (performance.now() > deadline) {
      await child.stop({ signal: 'SIGTERM', deadlineMs: 5_000 });
      return false;
    }
    await delay(40);
  }
  return false;
}

async function startFailure(loop: Loop): Promise<StartFailure> {
  const log = await readFile(loop.logFile, 'utf8').catch(() => '');
  const tail = log.trimEnd().split('\n').slice(-15).join('\n');
  return new StartFailure(`${loop.name} did not start. The end of its log (${loop.logFile}):\n${tail}`);
}
