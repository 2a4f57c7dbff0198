import type { Database, RowGuard } from '@rubrica/database';
import type { Clock, Keyring } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';

/** Dependencies of the use cases; each use case takes only those that it names. */
export interface TermsDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  /** Guards the versions and the changes that wait for an approver. */
  readonly rows: RowGuard;
  /** Calls that terms may make. */
  readonly peers: Peers<'terms'>;
  readonly clock: Clock;
  /** Creates a UUID v7. */
  readonly newId: () => string;
}
