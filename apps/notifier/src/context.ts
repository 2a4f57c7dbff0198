import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import type { Keyring } from '@rubrica/process/keyring';
import type { Clock } from '@rubrica/process/time';
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
