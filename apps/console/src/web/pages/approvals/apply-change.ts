import type { OperatorOutput } from '../../client/trpc.ts';

type Approval = OperatorOutput<'approvals.get'>;

/**
 * Applies a change to its record. Computed here: `after` of the answer is not part of what an approver signs, and could
 * contain anything.
 */
export function applyChange({ change, before }: Pick<Approval, 'change' | 'before'>): Approval['after'] {
  const { reason: _, ...settings } = change.input;
  return { ...before, ...settings };
}
