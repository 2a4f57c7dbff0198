/** Why a code is answered, and what the caller does then; `code` and [links](page) as in the documentation. */
export interface Advice {
  readonly en: readonly [cause: string, remedy: string];
  readonly es: readonly [cause: string, remedy: string];
}
