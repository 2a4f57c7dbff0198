/** One thing that a schema no longer keeps. */
export interface Difference {
  /** Where, as names divided by slashes: `/applicant/names/[]`. */
  readonly at: string;
  readonly text: string;
}

/**
 * Who sends. Of a request the schema before is what is sent and the one after is what reads it; of an answer it is the
 * other way round.
 */
export type Direction = 'request' | 'answer';

/** The schemas of both ends. References in them are resolved. */
export interface Pair<Schema> {
  readonly sent: Schema;
  readonly taken: Schema;
}

/** What the rules for one kind of value need of the whole. */
export interface Judge<Schema> {
  readonly direction: Direction;
  /** Whether all that `sent` describes is read by `taken`. */
  fits(sent: Schema, taken: Schema, at: string): Difference[];
}
