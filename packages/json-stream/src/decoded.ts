/** Where a document's files are, and how much of everything is taken. */
export interface DecodePlan {
  /** Most that all fields other than files may come to, bytes. */
  readonly maxFieldBytes: number;
  /** Largest file of the kind that begins like this, decoded, bytes. It sees 1,024 bytes at least, or the whole file. */
  readonly maxBytesOf: (head: Uint8Array) => number;
  /** Where files are: a field's name, or `list[].name` for a field of each item of a list. */
  readonly files: readonly string[];
}

/** Takes one file in pieces, whose memory is used again afterwards. */
export interface FileSink<File> {
  /** The first block has 1,024 bytes at least, or the whole file. */
  write(block: Uint8Array): void;
  /** No more comes. */
  end(): File;
  /** What was written is no file after all. */
  drop(): void;
}

/** A file field as it was sent. */
export type FileValue<File> =
  | { readonly kind: 'file'; readonly file: File }
  /** Text that is not base64, or an array that holds more than bytes. */
  | { readonly kind: 'undecodable' }
  /** Neither text nor an array. */
  | { readonly kind: 'not-a-file' }
  | { readonly kind: 'too-large' };

/** A document taken apart: files by their place (`evidences[0].evidenceFile`), all else as plain JSON values. */
export interface Decoded<File> {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: ReadonlyMap<string, FileValue<File>>;
}
