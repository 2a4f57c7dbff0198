export interface Check {
  readonly name: string;
  /** @returns what was seen. @throws Error that says what is wrong */
  look(): Promise<string>;
  /** What to do where it is wrong. */
  readonly remedy: string;
}

/** In order: what comes after a fault would only say the same again, and is not looked at. */
export type CheckGroup = readonly Check[];

/** @throws Error with all of them, where there is one */
export function assertNone(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('; '));
}
