/** One incompatible change of a schema. */
export interface Difference {
  /** Location, as names separated by slashes: `/applicant/names/[]`. */
  readonly at: string;
  readonly text: string;
}

/**
 * Direction of the values. Requests are sent by the schema before and read by the schema after; answers are sent by the
 * schema after and read by the schema before.
 */
export type Direction = 'request' | 'answer';

/** Schemas of sender and reader. References in them are resolved. */
export interface Pair<Schema> {
  readonly sent: Schema;
  readonly taken: Schema;
}

/** Context that the rules for one kind of value need. */
export interface Judge<Schema> {
  readonly direction: Direction;
  /** Lists the values that `sent` describes and `taken` does not read. */
  fits(sent: Schema, taken: Schema, at: string): Difference[];
}
