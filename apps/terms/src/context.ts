import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import type { Keyring } from '@rubrica/process/keyring';
import type { Clock } from '@rubrica/process/time';
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
