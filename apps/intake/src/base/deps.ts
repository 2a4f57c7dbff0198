import type { Database, RowGuard } from '@rubrica/database';
import type { Clock, Keyring } from '@rubrica/process';

/** Dependencies of every wing. A use case takes only those that it names. */
export interface BaseDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  /** Guard of the rows that give permissions, by their MACs. */
  readonly rows: RowGuard;
  readonly clock: Clock;
  /** Creates a UUID v7. */
  readonly newId: () => string;
}
