import type { Database, RowGuard } from '@rubrica/database';
import type { Clock, Keyring } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';

/** What the use cases of this service are given; each takes only what it names. */
export interface TermsDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  /** Guards the changes that wait for a second administrator, and the versions. */
  readonly rows: RowGuard;
  /** The calls that terms may make. */
  readonly peers: Peers<'terms'>;
  readonly clock: Clock;
  /** A new UUID v7. */
  readonly newId: () => string;
}
