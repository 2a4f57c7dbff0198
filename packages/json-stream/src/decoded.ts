/** Location of a document's files, and the limits of its parts. */
export interface DecodePlan {
  /** Maximum size of all fields other than files, in bytes. */
  readonly maxFieldBytes: number;
  /**
   * Returns the maximum decoded size, in bytes, of the kind of file that starts with `head`. It receives at least 1,024
   * bytes, or the whole file.
   */
  readonly maxBytesOf: (head: Uint8Array) => number;
  /** Location of files: a field's name, or `list[].name` for a field of each item of a list. */
  readonly files: readonly string[];
}

/** Receives one file in pieces, whose memory is reused afterwards. */
export interface FileSink<File> {
  /** Writes a block. The first one has at least 1,024 bytes, or contains the whole file. */
  write(block: Uint8Array): void;
  /** Completes the file. */
  end(): File;
  /** Discards the written bytes, which turned out not to be a file. */
  drop(): void;
}

/** A file field as sent. */
export type FileValue<File> =
  | { readonly kind: 'file'; readonly file: File }
  /** Text that is not base64, or an array with other elements than bytes. */
  | { readonly kind: 'undecodable' }
  /** Neither text nor array. */
  | { readonly kind: 'not-a-file' }
  | { readonly kind: 'too-large' };

/** A decoded document: files by their location (`evidences[0].evidenceFile`), all other fields as plain JSON values. */
export interface Decoded<File> {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: ReadonlyMap<string, FileValue<File>>;
}
