/** Cause of a code, and remedy for the caller; `code` and [links](page) as in the documentation. */
export interface Advice {
  readonly en: readonly [cause: string, remedy: string];
  readonly es: readonly [cause: string, remedy: string];
}
