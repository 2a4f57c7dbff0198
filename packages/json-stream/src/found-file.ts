import type { WriteBlock } from './integer-reader.ts';

/** A file field as found in the document. */
export type FoundFile =
  /** The writer that was opened for this index received its bytes. */
  | { readonly kind: 'streamed'; readonly place: string }
  /** A text short enough to be kept unchanged. */
  | { readonly kind: 'text'; readonly place: string; readonly text: string }
  | { readonly kind: 'undecodable'; readonly place: string };

/** Receives one file. An error that it throws ends the document. */
export interface FileWriter {
  readonly write: WriteBlock;
  /**
   * Completes the file.
   * @param isFile false: the written bytes are the beginning of a value that is not a file
   */
  end(isFile: boolean): void;
}

export interface Separated {
  /** The document without its files, as JSON in UTF-8: each is replaced by a text, its index in `files`. */
  readonly rest: Buffer;
  readonly files: readonly FoundFile[];
}
