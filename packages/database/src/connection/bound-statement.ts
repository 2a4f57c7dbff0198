/** Named SQL with its values, to run once. */
export interface Statement {
  /** Name under which the statement stays prepared on each connection: one name, one text. */
  readonly name: string;
  readonly text: string;
  readonly params: readonly unknown[];
  /** The statement inserts outbox rows: the relay is notified after its commit. */
  readonly emits?: boolean;
  /** Outbox rows as JSON, if they are its parameters: see `emitting`. */
  readonly outboxRows?: string | undefined;
  /** The statement commits together with others of the same time: see `createGroupCommit`. */
  readonly groupCommit?: boolean;
}
