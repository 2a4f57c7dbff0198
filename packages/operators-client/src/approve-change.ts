import { verifyApprovalChallenge } from './approval-challenge.ts';
import type { OperatorsClient } from './create-operators-client.ts';
import type { OperatorInput, OperatorOutput } from './router.ts';

type Assertion = NonNullable<OperatorInput<'approvals.approve'>['response']>;
type ApprovalResult = Awaited<ReturnType<OperatorsClient['procedures']['approvals']['approve']['mutate']>>;
type AssertionOptions = NonNullable<OperatorOutput<'approvals.passkeyOptions'>['options']>;

export interface ApproveOptions {
  /** Lets the operator's passkey sign, for example `startAuthentication` of `@simplewebauthn/browser`. */
  sign(options: AssertionOptions): Promise<Assertion>;
  readonly reason?: string;
}

/**
 * Approves a change, with a passkey if the operator has one. The passkey signs only the change that was shown, whatever
 * challenge arrives.
 * @param shown the very answer of `approvals.get` that the page renders: procedure, input and `before`, completely
 * @throws ChallengeRefused
 */
export async function approveChange(
  { procedures: { approvals } }: Pick<OperatorsClient, 'procedures'>,
  shown: OperatorOutput<'approvals.get'>,
  { sign, reason }: ApproveOptions,
): Promise<ApprovalResult> {
  const { id } = shown;
  const decision = { id, ...(reason !== undefined && { reason }) };
  const { options } = await approvals.passkeyOptions.mutate({ id });
  if (options === null) return approvals.approve.mutate(decision);
  await verifyApprovalChallenge(shown, options.challenge);
  return approvals.approve.mutate({ ...decision, response: await sign(options) });
}
