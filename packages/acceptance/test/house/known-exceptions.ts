interface Exception {
  readonly rule: string;
  readonly workspace: string;
}

/** Broken today and being mended: this table must become empty. The test fails when a row is no longer needed. */
const table: readonly (readonly [rule: string, workspaces: readonly string[]])[] = [
  ['word: say applicant, or subscriber once there is a certificate', ['packages/database']],
  ['word: say plain English', ['packages/database']],
  ['word: say sideEffects, or "also"', ['packages/database']],
  ['word: say dead letter', ['packages/database']],
];

export const knownExceptions: readonly Exception[] = table.flatMap(([rule, workspaces]) =>
  workspaces.map((workspace) => ({ rule, workspace })),
);
