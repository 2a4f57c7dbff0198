import type { ClientBase, Connection, FieldDef, Pool, Submittable } from 'pg';
import { toParameter } from '../group-commit/parameter-text.ts';
import { preparedNames } from '../group-commit/prepared-names.ts';
import type { Statement } from './bound-statement.ts';

/** Statement that has run and is being committed. */
export interface AheadOfCommit<Row = Record<string, unknown>> {
  readonly rows: Row[];
  /** Rejects if nothing of it was committed, or if that is unknown (`isDatabaseUnavailable`). */
  readonly committed: Promise<void>;
}

/**
 * Runs a statement and returns its rows before its commit.
 * @throws its fault if it has not run; TypeError for a statement that emits, whose messages would be published before
 * their rows
 */
export async function runAheadOfCommit(
  pool: Pool,
  statement: Statement,
  { prepares }: { readonly prepares: boolean },
): Promise<AheadOfCommit> {
  if (statement.emits) throw new TypeError(`${statement.name} emits: it has to wait for its commit`);
  const client = await pool.connect();
  const query = new AheadQuery(client, statement, prepares ? `ahead:${statement.name}` : '');
  const committed = query.committed.then(
    () => client.release(),
    (fault: unknown) => {
      client.release(query.spoilsConnection());
      throw fault;
    },
  );
  // Handled by the caller that received the rows; without rows the fault is thrown below.
  committed.catch(() => undefined);
  client.query(query);
  return { rows: await query.rows, committed };
}

type Row = Record<string, unknown>;

/**
 * Sends one message: the statement, a `Flush`, a `Sync` (PostgreSQL, "Message Flow", 54.2.3). The `Flush` makes
 * PostgreSQL send the rows, the `Sync` commit. So the rows arrive while the commit waits for its `fsync`.
 */
class AheadQuery implements Submittable {
  readonly #client: ClientBase;
  readonly #statement: Statement;
  readonly #name: string;
  #preparesIt = false;
  #fields: readonly FieldDef[] = [];
  readonly #found: Row[] = [];
  readonly #ran = Promise.withResolvers<Row[]>();
  readonly #ended = Promise.withResolvers<void>();

  /** @param name name of the prepared statement; empty: prepared anew each time */
  constructor(client: ClientBase, statement: Statement, name: string) {
    this.#client = client;
    this.#statement = statement;
    this.#name = name;
  }

  get rows(): Promise<Row[]> {
    return this.#ran.promise;
  }

  get committed(): Promise<void> {
    return this.#ended.promise;
  }

  /** Tells whether the connection must be closed: after a message that failed it is unknown what is prepared on it. */
  spoilsConnection(): boolean {
    return this.#preparesIt && this.#name !== '';
  }

  submit(connection: Connection): void {
    const name = this.#name;
    const { text, params } = this.#statement;
    this.#preparesIt = !preparedNames(this.#client).has(name);
    connection.stream.cork();
    if (this.#preparesIt) connection.parse({ name, text, types: [] }, true);
    connection.bind({ statement: name, values: params.map(toParameter) }, true);
    connection.describe({ type: 'P' }, true);
    connection.execute(null, true);
    connection.flush();
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#fields = fields;
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const cells = this.#fields.map(({ name, dataTypeID }, index): [string, unknown] => {
      const text = fields[index];
      const isNull = text === null || text === undefined;
      return [name, isNull ? null : this.#client.getTypeParser(dataTypeID, 'text')(text)];
    });
    this.#found.push(Object.fromEntries(cells));
  }

  handleCommandComplete(): void {
    this.#ran.resolve(this.#found);
  }

  handleError(error: Error): void {
    this.#ran.reject(error);
    this.#ended.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#name !== '') preparedNames(this.#client).add(this.#name);
    this.#ended.resolve();
  }
}
