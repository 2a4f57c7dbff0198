import type { Database, RowGuard } from '@rubrica/database';
import type { Clock, Keyring } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import type { PingCall, PingResult } from './destinations/send-ping.ts';
import type { Dialer } from './dialer/dialer.ts';

/** Dependencies of the use cases; each use case takes only those that it names. */
export interface NotifierDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly rows: RowGuard;
  readonly timeZone: string;
  readonly clock: Clock;
  readonly intake: Pick<Peers<'notifier'>['intake'], 'events.reopen'>;
  readonly dialer: Pick<Dialer, 'get'>;
  /** Wakes the queue after a resend, so that an operator does not wait for the next poll. */
  readonly nudgeDeliveries: () => void;
  readonly nudgeMessages: () => void;
  readonly nudgeNotices: () => void;
  /**
   * Calls a partner's receiver once with a ping.
   * @throws AppError when it cannot be signed
   */
  readonly ping: (call: PingCall) => Promise<PingResult>;
}
