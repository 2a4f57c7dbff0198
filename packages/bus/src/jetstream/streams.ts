import { setTimeout as wait } from 'node:timers/promises';
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  type NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { assertSubject, assertSubjectFilter } from '../wire/subjects.ts';

export interface StreamDefinition {
  /** Letters, digits, "_" and "-". */
  readonly name: string;
  /** Wildcards allowed. */
  readonly subjects: readonly string[];
  /** `workqueue` holds a message until it is acknowledged, `limits` for its age. */
  readonly retention: 'workqueue' | 'limits';
  /** Messages that a full stream drops. `new` under `limits` would refuse every publish once full. */
  readonly discard: 'new' | 'old';
  /** 0 for no limit. */
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  /** Time for which a `Nats-Msg-Id` is remembered. */
  readonly duplicateWindowMs: number;
  /** Maximum size, headers included; default: no limit. */
  readonly maxMessageBytes?: number;
  /** Subjects whose stored messages the stream itself publishes again. */
  readonly republish?: { readonly source: string; readonly destination: string };
}

export interface ConsumerDefinition {
  readonly stream: string;
  readonly durable: string;
  /** Subjects of the stream to consume; a work queue's consumers must not overlap. */
  readonly filterSubject?: string;
  /** Time without ack or sign of life after which a message is delivered again. */
  readonly ackWaitMs: number;
  /** -1 for no limit. */
  readonly maxDeliver: number;
  /** Maximum unacknowledged messages over all copies. */
  readonly maxAckPending: number;
}

export type Ensured = 'created' | 'updated' | 'unchanged';

const notFound = new Set([10_014 /* consumer */, 10_059 /* stream */]);

/**
 * Creates or updates the streams as defined, on file. It may run again, and at once in several processes. Retention
 * cannot be changed on an existing stream; trying to fails with an error that states it. Replicas are raised to
 * `replicas` (1) and never lowered: an operator may have raised them, and fewer would be wrongly taken for enough.
 * @returns the action for each, in order
 */
export async function ensureStreams(
  bus: Bus,
  definitions: readonly StreamDefinition[],
  options: { replicas?: number } = {},
): Promise<Ensured[]> {
  const manager = await openManager(bus);
  const done: Ensured[] = [];
  for (const definition of definitions) {
    done.push(await ensureStream(manager, streamConfig(definition, options.replicas ?? 1)));
  }
  return done;
}

/** Creates or updates durable pull consumers with explicit acknowledgement, like `ensureStreams`. */
export async function ensureConsumers(
  bus: Bus,
  definitions: readonly ConsumerDefinition[],
): Promise<Ensured[]> {
  const manager = await openManager(bus);
  const done: Ensured[] = [];
  for (const definition of definitions) {
    const { stream, durable } = definition;
    const wanted = consumerConfig(definition);
    const found = await ignoreNotFound(() => manager.consumers.info(stream, durable));
    if (found !== undefined && matches(found.config, wanted)) {
      done.push('unchanged');
      continue;
    }
    await (found === undefined
      ? manager.consumers.add(stream, wanted)
      : manager.consumers.update(stream, durable, wanted));
    done.push(found === undefined ? 'created' : 'updated');
  }
  return done;
}

export async function openManager(bus: Bus): Promise<JetStreamManager> {
  // The check would need one more permission and reveals nothing that the first request does not.
  return bus.nc.jetstreamManager({ checkAPI: false, apiPrefix: bus.apiPrefix });
}

export async function ensureStream(
  manager: JetStreamManager,
  definition: Partial<StreamConfig> & { name: string },
): Promise<Ensured> {
  const found = await ignoreNotFound(() => manager.streams.info(definition.name));
  if (found === undefined) {
    await manager.streams.add(definition);
    return 'created';
  }
  const replicas = Math.max(found.config.num_replicas, definition.num_replicas ?? 1);
  const wanted = { ...definition, num_replicas: replicas };
  if (matches(found.config, wanted)) return 'unchanged';
  if (wanted.retention !== undefined && found.config.retention !== wanted.retention) {
    throw new Error(
      `Stream ${wanted.name} has ${found.config.retention} retention, which cannot be changed to ${wanted.retention}`,
    );
  }
  const { max_msgs_per_subject: most = -1 } = wanted;
  if (most > 0 && found.config.max_msgs_per_subject !== most) {
    throw new Error(
      `Stream ${wanted.name} was made for more than ${most} message per subject; updating it would remove messages`,
    );
  }
  await manager.streams.update(wanted.name, wanted);
  if (replicas > found.config.num_replicas) await awaitLeader(manager, wanted.name);
  return 'updated';
}

const leaderWithinMs = 60_000;

/** Waits for a leader: a stream that gets more replicas does not answer until they have elected one. */
async function awaitLeader(manager: JetStreamManager, name: string): Promise<void> {
  for (const deadline = performance.now() + leaderWithinMs; ; ) {
    try {
      if ((await manager.streams.info(name)).cluster?.leader) return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    if (performance.now() > deadline) throw new Error(`Stream ${name} has no leader`);
    await wait(100);
  }
}

function streamConfig(
  definition: StreamDefinition,
  replicas: number,
): Partial<StreamConfig> & { name: string } {
  const { republish } = definition;
  return {
    name: assertSubject(definition.name),
    subjects: definition.subjects.map(assertSubjectFilter),
    retention: definition.retention === 'workqueue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
    discard: definition.discard === 'new' ? DiscardPolicy.New : DiscardPolicy.Old,
    storage: StorageType.File,
    max_age: nanos(definition.maxAgeMs),
    max_bytes: definition.maxBytes,
    max_msg_size: definition.maxMessageBytes ?? -1,
    duplicate_window: nanos(definition.duplicateWindowMs),
    num_replicas: replicas,
    ...(republish === undefined
      ? {}
      : {
          republish: {
            src: assertSubjectFilter(republish.source),
            dest: assertSubjectFilter(republish.destination),
          },
        }),
  };
}

function consumerConfig(definition: ConsumerDefinition): Partial<ConsumerConfig> {
  const { filterSubject } = definition;
  return {
    durable_name: assertSubject(definition.durable),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(definition.ackWaitMs),
    max_deliver: definition.maxDeliver,
    max_ack_pending: definition.maxAckPending,
    ...(filterSubject === undefined ? {} : { filter_subject: assertSubjectFilter(filterSubject) }),
  };
}

/** Compares only the wanted properties: the server adds its own defaults. */
function matches(found: object, wanted: object): boolean {
  const actual = found as Record<string, unknown>;
  return Object.entries(wanted).every(
    ([key, value]) => JSON.stringify(actual[key] ?? null) === JSON.stringify(value ?? null),
  );
}

/** Returns undefined if there is no such stream or consumer. */
export async function ignoreNotFound<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (notFound.has((error as NatsError).api_error?.err_code ?? 0)) return undefined;
    throw error;
  }
}
