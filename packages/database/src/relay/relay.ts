import { type OwnSession, openOwnSession } from '../connection/own-session.ts';
import { failurePauseMs, pause } from '../connection/pause.ts';
import { createOwnerWatch, type OwnerWatch } from '../lock/owner-watch.ts';
import { createSessionLock, trySessionLock } from '../lock/session-lock.ts';
import { relayWhileHeld } from './active-relay.ts';
import { createNudges, type Nudges } from './nudges.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { defaultTuning, type RelayOptions, type RelayTuning } from './relay-options.ts';
import { channelName, listenTo, notify, relayLock } from './relay-sql.ts';

export interface Relay {
  /** Starts trying for the lock; returns immediately. */
  start(): void;
  /** Finishes messages in flight, marks them and frees the lock. */
  stop(): Promise<void>;
  /** Reports a commit: the active relay, in any copy, reads immediately. */
  nudge(): void;
  /** True while this copy publishes. */
  isActive(): boolean;
  /** False if neither this copy nor another has been active for `ownerMissingAfterMs`. */
  hasOwner(): boolean;
}

/**
 * Creates the relay, which publishes the outbox of one schema. Every copy of a service runs it. A lock of the schema,
 * held by a separate session, makes one of them active; another takes over within `pollMs` of its end.
 *
 * The database reports each commit that emitted. The active copy takes the rows of its own statements from memory. An
 * idle copy sends a NOTIFY on its own connection, outside the transaction: inside it a NOTIFY would make commits wait
 * for each other.
 */
export function createRelay(options: RelayOptions): Relay {
  const { logger, metrics, database } = options;
  const tuning: RelayTuning = { ...defaultTuning, ...options.tuning };
  const stopping = new AbortController();
  const pacer = createPacer({ gapMs: tuning.gapMs });
  const nudges = createNudges(pacer);
  const owner = createOwnerWatch(tuning.ownerMissingAfterMs);
  let running: Promise<void> | undefined;
  let unsubscribe = () => {};
  let active = false;

  const setActive = (isActive: boolean) => {
    if (active === isActive) return;
    active = isActive;
    owner.seen();
    metrics?.active(isActive);
    logger.info({ schema: database.schema }, isActive ? 'relay is active' : 'relay is no longer active');
  };
  const serve = async (session: OwnSession) => {
    const isStopping = () => stopping.signal.aborted;
    const held = await awaitLock({
      session,
      pacer,
      nudges,
      tuning,
      owner,
      schema: database.schema,
      isStopping,
    });
    if (!held) return;
    setActive(true);
    // From here on a NOTIFY of another copy reaches this one; rows committed before are read first.
    await session.query(listenTo(database.schema));
    await relayWhileHeld({ ...options, session, pacer, nudges, tuning, isStopping });
  };
  const run = async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        await using session = await connect({ options, pacer, nudges });
        failures = 0;
        await serve(session);
      } catch (err) {
        failures += 1;
        logger.warn({ err, schema: database.schema }, 'relay lost its connection');
      }
      setActive(false);
      if (!stopping.signal.aborted) await pause(failurePauseMs(failures), stopping.signal);
    }
  };
  return {
    start() {
      unsubscribe = database.onEmitted(nudges.add);
      running ??= run();
    },
    async stop() {
      unsubscribe();
      stopping.abort();
      pacer.request(0);
      await running;
    },
    nudge: () => nudges.add(),
    isActive: () => active,
    hasOwner: () => active || !owner.isMissing(),
  };
}

async function connect(context: { options: RelayOptions; pacer: Pacer; nudges: Nudges }) {
  const { options, pacer, nudges } = context;
  const { schema } = options.database;
  const session = await openOwnSession({
    url: options.databaseUrl,
    schema,
    applicationName: `rubrica-${schema}-relay`,
    onLost: () => pacer.request(0),
    onNotification: () => nudges.add(),
  });
  return { ...session, [Symbol.asyncDispose]: session.end };
}

interface Candidate {
  readonly session: OwnSession;
  readonly pacer: Pacer;
  readonly nudges: Nudges;
  readonly tuning: RelayTuning;
  readonly owner: OwnerWatch;
  readonly schema: string;
  readonly isStopping: () => boolean;
}

/**
 * Tries for the lock until it has it (true) or is stopped (false), passing notifications on to the copy that has it.
 * The lock comes first: a NOTIFY fails while another role keeps the server's queue of notifications full.
 */
async function awaitLock(candidate: Candidate): Promise<boolean> {
  const { session, pacer, nudges, tuning, owner, schema, isStopping } = candidate;
  const lock = relayLock(schema);
  await createSessionLock(session, lock.name);
  for (let tryAt = 0; !isStopping(); ) {
    if (performance.now() >= tryAt) {
      if ((await trySessionLock(session, lock)) !== undefined) return true;
      owner.seen();
      // Jittered, so that several idle copies do not ask in step.
      tryAt = performance.now() + tuning.pollMs * (0.8 + 0.4 * Math.random());
    }
    if (nudges.take()) await session.query(notify, [channelName(schema)]);
    await pacer.turn(Math.max(0, tryAt - performance.now()));
  }
  return false;
}
