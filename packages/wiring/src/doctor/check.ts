export interface Check {
  readonly name: string;
  /**
   * Runs the check.
   * @returns description of the result
   * @throws Error with the fault
   */
  look(): Promise<string>;
  /** Remedy for the fault. */
  readonly remedy: string;
}

/** Checks in order: after a fault the later ones would only repeat it, and are skipped. */
export type CheckGroup = readonly Check[];

/** @throws Error with all faults, if there are any */
export function assertNone(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('; '));
}
