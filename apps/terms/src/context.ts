import type { Database } from '@rubrica/database';
import type { Clock, Keyring } from '@rubrica/process';

/** What the use cases of this service are given; each takes only what it names. */
export interface TermsDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** A new UUID v7. */
  readonly newId: () => string;
}
