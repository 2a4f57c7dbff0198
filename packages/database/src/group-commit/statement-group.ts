import type { ClientBase, Connection, FieldDef, Submittable } from 'pg';
import type { Statement } from '../connection/bound-statement.ts';
import type { Parameter } from './parameter-text.ts';
import { preparedNames } from './prepared-names.ts';

/** Statement that waits for its rows. */
export interface GroupItem {
  readonly statement: Statement;
  readonly parameters: readonly Parameter[];
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** Memory that groups share. */
export interface GroupMemory {
  /** Columns of each statement's rows, as its first run described them. */
  readonly shapes: Map<string, readonly Column[]>;
  /** Connections keep prepared statements. */
  readonly prepares: boolean;
}

type Rows = Record<string, unknown>[];

/**
 * Sends statements in one message, with one `Sync` at its end. PostgreSQL runs them as one transaction (PostgreSQL,
 * "Message Flow", 54.2.4 Pipelining), so they share a round trip, a commit and its `fsync`. Either all of them are
 * committed or none.
 */
export class StatementGroup implements Submittable {
  readonly #client: ClientBase;
  readonly #items: readonly GroupItem[];
  readonly #memory: GroupMemory;
  readonly #prepares: string[] = [];
  readonly #rows: Rows[] = [];
  #described: readonly Column[] | undefined;
  #settle: PromiseWithResolvers<Rows[]> = Promise.withResolvers();

  constructor(client: ClientBase, items: readonly GroupItem[], memory: GroupMemory) {
    this.#client = client;
    this.#items = items;
    this.#memory = memory;
    this.#rows.push([]);
  }

  /**
   * Runs the group and returns the rows of each statement after the commit. Rejects with the first fault, and then
   * nothing is committed.
   */
  run(): Promise<Rows[]> {
    this.#client.query(this);
    return this.#settle.promise;
  }

  /** Tells whether the connection must be closed: after a group that failed it is unknown what is prepared on it. */
  spoilsConnection(): boolean {
    return this.#prepares.length > 0;
  }

  submit(connection: Connection): void {
    const prepared = preparedNames(this.#client);
    connection.stream.cork();
    for (const item of this.#items) {
      const { name: statementName, text } = item.statement;
      // Without a name it is prepared for this run only.
      const name = this.#memory.prepares ? `group:${statementName}` : '';
      if (!prepared.has(name) && !this.#prepares.includes(name)) {
        if (name !== '') this.#prepares.push(name);
        connection.parse({ name, text, types: [] }, true);
      }
      connection.bind({ statement: name, values: [...item.parameters] }, true);
      if (!this.#memory.shapes.has(statementName)) connection.describe({ type: 'P' }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#described = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#client.getTypeParser(dataTypeID, 'text'),
    }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    for (const [index, { name, parse }] of this.#columns().entries()) {
      const text = fields[index];
      row[name] = text === null || text === undefined ? null : parse(text);
    }
    this.#rows.at(-1)?.push(row);
  }

  handleCommandComplete(): void {
    const { name } = this.#current().statement;
    const { shapes } = this.#memory;
    if (!shapes.has(name)) shapes.set(name, this.#described ?? []);
    this.#described = undefined;
    this.#rows.push([]);
  }

  handleError(error: Error): void {
    this.#settle.reject(error);
  }

  handleReadyForQuery(): void {
    const prepared = preparedNames(this.#client);
    for (const name of this.#prepares) prepared.add(name);
    this.#settle.resolve(this.#rows.slice(0, this.#items.length));
  }

  #current(): GroupItem {
    return this.#items[this.#rows.length - 1] as GroupItem;
  }

  #columns(): readonly Column[] {
    return this.#described ?? this.#memory.shapes.get(this.#current().statement.name) ?? [];
  }
}
