import type { DatabaseLogger } from '../logger.ts';
import type { Emitted } from '../outbox/emitted.ts';

export interface OutboxMessage {
  readonly subject: string;
  /** Value of `Nats-Msg-Id`. */
  readonly id: string;
  /** Parsed JSON. */
  readonly data: unknown;
  readonly headers: Record<string, string>;
}

/** Publishes a message. Resolves when it is stored durably; `duplicate` if the server had it already. */
export type Publish = (message: OutboxMessage) => Promise<{ duplicate: boolean }>;

export interface RelayMetrics {
  /** Records whether this copy holds the lock. */
  active(isActive: boolean): void;
  /** @param event.ageSeconds time from the insert until the relay had the row */
  published(event: { subject: string; duplicate: boolean; ageSeconds: number }): void;
  failed(event: { subject: string }): void;
  /** Records the outbox's lag, every few seconds from the active copy; `rows` counts up to 10,000. */
  backlog(event: { rows: number; oldestSeconds: number }): void;
}

export interface RelayOptions {
  /** URL straight to PostgreSQL or through a pooler in session mode: the lock belongs to a session. */
  readonly databaseUrl: string;
  readonly database: {
    readonly schema: string;
    onEmitted(listener: (emitted?: Emitted) => void): () => void;
  };
  readonly publish: Publish;
  readonly logger: DatabaseLogger;
  readonly metrics?: RelayMetrics;
  readonly tuning?: Partial<RelayTuning>;
}

export interface RelayTuning {
  /** Interval at which the table is read without a wake-up, and an idle copy tries for the lock. */
  readonly pollMs: number;
  /** Minimum time between two runs under load. */
  readonly gapMs: number;
  /** Time for which acknowledgements are collected before they are marked. */
  readonly markDelayMs: number;
  readonly maxInFlight: number;
  /** Time after which a publish without an answer counts as failed. */
  readonly publishTimeoutMs: number;
  readonly backlogEveryMs: number;
  /** Time without an active relay after which `hasOwner` is false. */
  readonly ownerMissingAfterMs: number;
}

export const defaultTuning: RelayTuning = {
  pollMs: 500,
  gapMs: 4,
  markDelayMs: 40,
  maxInFlight: 512,
  publishTimeoutMs: 10_000,
  backlogEveryMs: 5_000,
  ownerMissingAfterMs: 30_000,
};
