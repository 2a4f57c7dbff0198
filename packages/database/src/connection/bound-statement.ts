/** SQL with a name and its values, to run once. */
export interface Statement {
  /** Keeps the statement prepared on each connection under this name: one name, one text. */
  readonly name: string;
  readonly text: string;
  readonly params: readonly unknown[];
  /** It inserts outbox rows: the relay hears of it once it has committed. */
  readonly emits?: boolean;
  /** The rows as JSON, where they are its parameters: see `emitting`. */
  readonly outboxRows?: string | undefined;
  /** Commits with others that come at the same time: see `createGroupCommit`. */
  readonly groupCommit?: boolean;
}
