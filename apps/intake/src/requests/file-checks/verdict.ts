import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
/** Reasons to refuse a file. */
export const faultKinds = [
  /** It is not what its first bytes say, or breaks off. */
  'unreadable',
  'too-many-pixels',
  'too-many-pages',
  'encrypted',
  /** Scripts, programs to start, embedded files and media, dynamic forms. */
  'active-content',
  /** A small file that unpacks to a huge one. */
  'bomb',
  /** The checker ran out of time or memory over it. */
  'check-failed',
  /** The stored file is not the one that was sent. */
  'damaged',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/**
 * Verdict on a file. `text` continues a sentence that begins with the name of its field: "is encrypted; …". A
 * `doubtful` file is accepted, and a person should check it.
 */
export type Verdict =
  | { readonly kind: 'ok' }
  | { readonly kind: 'doubtful' | FaultKind; readonly text: ErrorText };

export const ok: Verdict = { kind: 'ok' };
