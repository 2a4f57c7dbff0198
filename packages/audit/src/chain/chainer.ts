import { failurePauseMs, openOwnSession, pause } from '@rubrica/database/connection';
import { FenceLost } from '@rubrica/database/lease';
import {
  createOwnerWatch,
  createSessionLock,
  type SessionLock,
  trySessionLock,
} from '@rubrica/database/lock';
import { createPacer, type Pacer } from '@rubrica/database/relay';
import { chainWhileHeld } from './active-chainer.ts';
import { AuditChainBroken, type ChainPosition } from './chain-rows.ts';
import { type ChainerOptions, type ChainerTuning, defaultTuning } from './chainer-options.ts';
import { chainerLock } from './chainer-sql.ts';

export interface Chainer {
  /** Starts trying for the lock; returns immediately. */
  start(): void;
  /** Finishes the current batch and frees the lock. */
  stop(): Promise<void>;
  /** Reports a commit: an active copy looks for rows immediately. */
  nudge(): void;
  /** True while this copy chains rows. */
  isActive(): boolean;
  /** False if neither this copy nor another has been active for `ownerMissingAfterMs`. */
  hasOwner(): boolean;
}

/**
 * Creates the task that chains the committed rows of one audit table and signs checkpoints periodically. Every copy of
 * a service runs it; a lock of the schema, held by a separate session, makes one of them active. Writers of audit rows
 * never wait for it: a row is chained about a second after its commit.
 */
export function createChainer(options: ChainerOptions): Chainer {
  const { logger, metrics, schema } = options;
  const tuning: ChainerTuning = { ...defaultTuning, ...options.tuning };
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const pacer = createPacer({ gapMs: 10 });
  const owner = createOwnerWatch(tuning.ownerMissingAfterMs);
  let running: Promise<void> | undefined;
  let remembered: ChainPosition | undefined;
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
    const remember = (place: ChainPosition) => {
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
        reportFailure(options, err);
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

/**
 * Reports a failure. A broken chain is not repaired: the manipulation stays visible, and rows wait for their positions.
 */
function reportFailure({ logger, metrics, schema }: ChainerOptions, err: unknown): void {
  if (err instanceof AuditChainBroken) {
    metrics?.broken(true);
    logger.error({ err, schema, reason: err.message }, 'audit log tampered with, chaining stopped');
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
    // A checkpoint is a permanent statement of this service: a crash of PostgreSQL must not remove what it covers.
    isDurable: true,
  });
  return { ...session, [Symbol.asyncDispose]: session.end };
}
