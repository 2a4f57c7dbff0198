import type { DatabaseLogger } from '../logger.ts';
import type { Emitted } from '../outbox/emitted.ts';

export interface OutboxMessage {
  readonly subject: string;
  /** For `Nats-Msg-Id`. */
  readonly id: string;
  /** Parsed JSON. */
  readonly data: unknown;
  readonly headers: Record<string, string>;
}

/** Resolves when the message is stored for good; `duplicate` when the server had it already. */
export type Publish = (message: OutboxMessage) => Promise<{ duplicate: boolean }>;

export interface RelayMetrics {
  /** This copy holds the lock, or no longer does. */
  active(isActive: boolean): void;
  /** @param event.ageSeconds from the insert until the relay had the row. */
  published(event: { subject: string; duplicate: boolean; ageSeconds: number }): void;
  failed(event: { subject: string }): void;
  /** The outbox's lag, every few seconds from the active copy; `rows` counts to 10,000. */
  backlog(event: { rows: number; oldestSeconds: number }): void;
}

export interface RelayOptions {
  /** Straight to PostgreSQL or through a pooler in session mode: the lock belongs to a session. */
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
  /** How often to look at the table without being woken, and how often an idle copy tries for the lock. */
  readonly pollMs: number;
  /** Least time between two turns under load. */
  readonly gapMs: number;
  /** How long acknowledgements are gathered before they are marked. */
  readonly markDelayMs: number;
  readonly maxInFlight: number;
  /** A publish without an answer counts as failed after this. */
  readonly publishTimeoutMs: number;
  readonly backlogEveryMs: number;
  /** Without an active relay for so long, `hasOwner` says so. */
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
