/** Mark of a schema, written once by its owner. The service's role may read it and not write it. */
export interface SandboxMark {
  readonly isSandbox: boolean;
}

export interface SandboxRequest {
  /** `SANDBOX` of the provisioning step. */
  readonly isWanted: boolean;
  /** Partners and applicants cannot reach this installation: its address is local to this machine. */
  readonly isLocal: boolean;
}

/** A sandbox was requested on a database that was not created as one. */
export class NotASandbox extends Error {
  override readonly name = 'NotASandbox';
  constructor() {
    super(
      'SANDBOX=true on a database that was not made as a sandbox. Set SANDBOX=false, or provision an empty database with SANDBOX=true',
    );
  }
}

/**
 * Decides the mark of a schema. An older schema without a mark holds production data unless nobody else can reach it:
 * one variable must not turn an authority into one that asks no registry.
 * @param isNew nothing has been migrated there before
 * @throws NotASandbox
 */
export function decideSandboxMark(
  mark: SandboxMark | undefined,
  { isNew, isWanted, isLocal }: SandboxRequest & { readonly isNew: boolean },
): SandboxMark {
  const decided = mark ?? { isSandbox: isWanted && (isNew || isLocal) };
  if (isWanted && !decided.isSandbox) throw new NotASandbox();
  return decided;
}
