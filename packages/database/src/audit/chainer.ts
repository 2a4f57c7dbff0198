import { openOwnSession } from '../connection/own-session.ts';
import { failurePauseMs, pause } from '../connection/pause.ts';
import { FenceLost } from '../lease/fence-lost.ts';
import { createOwnerWatch } from '../lock/owner-watch.ts';
import { createSessionLock, type SessionLock, trySessionLock } from '../lock/session-lock.ts';
import { createPacer, type Pacer } from '../relay/pacer.ts';
import { chainWhileHeld } from './active-chainer.ts';
import { type ChainerOptions, type ChainerTuning, defaultTuning } from './chainer-options.ts';
import { chainerLock } from './chainer-sql.ts';
import { AuditChainBroken, type Place } from './place-rows.ts';

export interface Chainer {
  /** Begins trying for the lock; returns at once. */
  start(): void;
  /** Finishes the batch under way and frees the lock. */
  stop(): Promise<void>;
  /** Something was committed: look now, where this copy is the active one. */
  nudge(): void;
  /** True while this copy gives rows their places. */
  isActive(): boolean;
  /** False where neither this copy nor another has been active for `ownerMissingAfterMs`. */
  hasOwner(): boolean;
}

/**
 * Gives the committed rows of one audit table their places in the chain, and signs a checkpoint now and then. Every
 * copy of a service runs one; a lock of the schema, held by a session of its own, makes one of them active. Who writes audit
 * rows never waits for it: a row is chained about a second after its commit.
 */
export function createChainer(options: ChainerOptions): Chainer {
  const { logger, metrics, schema } = options;
  const tuning: ChainerTuning = { ...defaultTuning, ...options.tuning };
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const pacer = createPacer({ gapMs: 10 });
  const owner = createOwnerWatch(tuning.ownerMissingAfterMs);
  let running: Promise<void> | undefined;
  let remembered: Place | undefined;
  let active = false;

  const setActive = (isActive: boolean) => {
    if (active === isActive) return;
    active = isActive;
    owner.seen();
    metrics?.active(isActive);
    logger.info({ schema }, isActive ? 'audit chainer is active' : 'audit chainer is no longer active');
  };
  const serve = async () => {
    await using session = await connect(options, pacer);
    const wanted = chainerLock(schema);
    await createSessionLock(session, wanted.name);
    let lock: SessionLock | undefined;
    for (;;) {
      if (isStopping()) return;
      lock = await trySessionLock(session, wanted);
      if (lock !== undefined) break;
      owner.seen();
      // Jittered, so that several idle copies do not ask in step.
      await pacer.turn(tuning.pollMs * (0.8 + 0.4 * Math.random()));
    }
    setActive(true);
    const remember = (place: Place) => {
      remembered = place;
    };
    await chainWhileHeld({ ...options, session, lock, pacer, tuning, isStopping, remembered, remember });
  };
  const run = async () => {
    for (let failures = 0; !isStopping(); ) {
      const since = performance.now();
      let pauseMs = 0;
      try {
        await serve();
      } catch (err) {
        failures = performance.now() - since > 30_000 ? 1 : failures + 1;
        pauseMs = err instanceof AuditChainBroken ? tuning.brokenPauseMs : failurePauseMs(failures);
        told(options, err);
      }
      setActive(false);
      if (!isStopping()) await pause(pauseMs, stopping.signal);
    }
  };
  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      pacer.request(0);
      await running;
    },
    nudge: () => pacer.request(0),
    isActive: () => active,
    hasOwner: () => active || !owner.isMissing(),
  };
}

/** A broken chain is left as it is: what was done to it stays visible, and rows wait for their places. */
function told({ logger, metrics, schema }: ChainerOptions, err: unknown): void {
  if (err instanceof AuditChainBroken) {
    metrics?.broken(true);
    logger.error({ err, schema, reason: err.message }, 'the audit log was tampered with: nothing is chained');
  } else {
    const lost = err instanceof FenceLost ? 'lock' : 'connection';
    logger.warn({ err, schema }, `audit chainer lost its ${lost}`);
  }
}

async function connect({ databaseUrl, schema }: ChainerOptions, pacer: Pacer) {
  const session = await openOwnSession({
    url: databaseUrl,
    schema,
    applicationName: `rubrica-${schema}-audit`,
    onLost: () => pacer.request(0),
    onNotification: () => undefined,
    // A checkpoint is the word of this service for good: no crash of PostgreSQL may take back what it speaks of.
    isDurable: true,
  });
  return { ...session, [Symbol.asyncDispose]: session.end };
}
