import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { digestApproval } from '@rubrica/contracts/shared/approval-challenge';
import type { ApprovalRow, ProposedChange } from '@rubrica/database';
import type { OperatorCaller } from '@rubrica/process';

type JsonObject = Readonly<Record<string, unknown>>;

/** Binds an approval to what was proposed: the change, and the record it was proposed for with its version. */
function digestOf({
  procedure,
  input,
  before,
}: Pick<ProposedChange, 'procedure' | 'input' | 'before'>): Promise<string> {
  return digestApproval({ change: { procedure, input }, before });
}

export interface Wanted {
  readonly path: OperatorPath;
  readonly input: object;
  readonly before: object | null;
  readonly operator: OperatorCaller;
}

/** What is kept of a change that waits, as JSON has it. */
export async function createProposal({ path, input, before, operator }: Wanted): Promise<ProposedChange> {
  const bound = asJson({ procedure: path, input, before }) as Pick<
    ProposedChange,
    'procedure' | 'input' | 'before'
  >;
  const { reason = null } = input as { readonly reason?: string };
  return {
    ...bound,
    after: afterOf(bound),
    digest: await digestOf(bound),
    proposedBy: operator.operatorId,
    proposerEmail: operator.email,
    reason,
  };
}

/** What the row says of it; a row that says nothing takes a second administrator. */
export function takesTwo({ procedure, before, after }: ProposedChange): boolean {
  const row: OperatorProcedure = operatorProcedures[procedure as OperatorPath];
  return row.second?.(before, after) ?? true;
}

function afterOf({ input, before }: Pick<ProposedChange, 'input' | 'before'>): JsonObject {
  const { reason: _, ...settings } = input;
  return { ...before, ...settings };
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Whether the row still says what its proposer has proposed. */
export async function isIntact(row: ApprovalRow): Promise<boolean> {
  return (await digestOf(row)) === row.digest;
}

/** Whether the record is still the one that the change was proposed for. */
export async function isOfRecord(row: ApprovalRow, before: object | null): Promise<boolean> {
  return (await digestOf({ ...row, before: asJson(before) as JsonObject | null })) === row.digest;
}
