/** Step of the schema's history: forward only, valid with the code of the previous and of the next release. */
export interface Migration {
  /** `yyyymmddhhmmss_slug`, UTC, which is the order of execution. */
  readonly name: string;
  /** Statements separated by semicolons, run in one transaction. */
  readonly sql: string;
  /** Mode for statements such as `create index concurrently`: one statement, outside a transaction. */
  readonly withoutTransaction?: true;
  /** Names of former migrations. A schema where all of them have run counts as having run this one. */
  readonly replaces?: readonly string[];
}

/** Thrown before anything is run. */
export class InvalidMigrations extends Error {
  override readonly name = 'InvalidMigrations';
}

const nameForm = /^\d{14}_[a-z0-9]+(_[a-z0-9]+)*$/;

/**
 * Sorts migrations in the order of execution.
 * @throws InvalidMigrations for a bad or repeated name, or an empty step
 */
export function sortMigrations(migrations: readonly Migration[]): Migration[] {
  const seen = new Set<string>();
  for (const { name, sql } of migrations) {
    if (!nameForm.test(name)) throw new InvalidMigrations(`${name}: names are yyyymmddhhmmss_slug`);
    if (seen.has(name)) throw new InvalidMigrations(`${name} is there twice`);
    if (sql.trim() === '') throw new InvalidMigrations(`${name} is empty`);
    seen.add(name);
  }
  return migrations.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
