import type { WriteBlock } from './integer-reader.ts';

/** A file field as the document had it. */
export type FoundFile =
  /** Its bytes went to the writer that was opened for this index. */
  | { readonly kind: 'streamed'; readonly place: string }
  /** A text short enough to be kept as it is. */
  | { readonly kind: 'text'; readonly place: string; readonly text: string }
  | { readonly kind: 'undecodable'; readonly place: string };

/** Takes one file. A throw ends the document. */
export interface FileWriter {
  readonly write: WriteBlock;
  /** @param isFile false: what was written is the beginning of something that is no file */
  end(isFile: boolean): void;
}

export interface Separated {
  /** The document without its files: in the place of each a text, its index in `files`. JSON in UTF-8. */
  readonly rest: Buffer;
  readonly files: readonly FoundFile[];
}
