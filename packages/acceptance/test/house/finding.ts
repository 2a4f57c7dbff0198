/** One place where the code breaks a rule of the house. */
export interface Finding {
  readonly rule: string;
  readonly workspace: string;
  readonly text: string;
}
