/** One place where the code breaks a house rule. */
export interface Finding {
  readonly rule: string;
  readonly workspace: string;
  readonly text: string;
}
