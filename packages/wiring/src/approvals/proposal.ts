import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { digestApproval } from '@rubrica/contracts/shared/approval-challenge';
import type { ApprovalRow, ProposedChange } from '@rubrica/database';
import type { OperatorCaller } from '@rubrica/process';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Computes the digest that binds an approval to its proposal: the change, and the record it was proposed for with its
 * version.
 */
function computeDigest({
  procedure,
  input,
  before,
}: Pick<ProposedChange, 'procedure' | 'input' | 'before'>): Promise<string> {
  return digestApproval({ change: { procedure, input }, before });
}

export interface ProposalInput {
  readonly path: OperatorPath;
  readonly input: object;
  readonly before: object | null;
  readonly operator: OperatorCaller;
}

/** Creates the stored form of a waiting change, in its JSON form. */
export async function createProposal({
  path,
  input,
  before,
  operator,
}: ProposalInput): Promise<ProposedChange> {
  const bound = toJson({ procedure: path, input, before }) as Pick<
    ProposedChange,
    'procedure' | 'input' | 'before'
  >;
  const { reason = null } = input as { readonly reason?: string };
  return {
    ...bound,
    after: applyChange(bound),
    digest: await computeDigest(bound),
    proposedBy: operator.operatorId,
    proposerEmail: operator.email,
    reason,
  };
}

/** Reads the decision of the row; a row without one always needs a second administrator. */
export function takesTwo({ procedure, before, after }: ProposedChange): boolean {
  const row: OperatorProcedure = operatorProcedures[procedure as OperatorPath];
  return row.second?.(before, after) ?? true;
}

function applyChange({ input, before }: Pick<ProposedChange, 'input' | 'before'>): JsonObject {
  const { reason: _, ...settings } = input;
  return { ...before, ...settings };
}

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Tells whether the row still holds what its proposer has proposed. */
export async function isIntact(row: ApprovalRow): Promise<boolean> {
  return (await computeDigest(row)) === row.digest;
}

/** Tells whether the record is still the one that the change was proposed for. */
export async function matchesRecord(row: ApprovalRow, before: object | null): Promise<boolean> {
  return (await computeDigest({ ...row, before: toJson(before) as JsonObject | null })) === row.digest;
}
