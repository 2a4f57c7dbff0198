import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import type { Keyring } from '@rubrica/process/keyring';
import type { Clock } from '@rubrica/process/time';

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
