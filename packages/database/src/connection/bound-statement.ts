/** SQL with a name and its values, to run once. */
export interface Statement {
  /** Keeps the statement prepared on each connection under this name: one name, one text. */
  readonly name: string;
  readonly text: string;
  readonly params: readonly unknown[];
  /** It inserts outbox rows: nudge the relay once it has committed. */
  readonly emits?: boolean;
  /** Commits with others that come at the same time: see `createGroupCommit`. */
  readonly groupCommit?: boolean;
}
