import { verifyApprovalChallenge } from '@rubrica/contracts/shared/approval-challenge';
import { startAuthentication } from '@simplewebauthn/browser';
import { callProcedure, type OperatorOutput, type ProcedureInput } from '../../client/trpc.ts';
import { UserFacingError } from '../../texts/failures.ts';

interface Texts {
  /** Text for a cancelled signature in the browser. */
  readonly cancelled: string;
  /** Text for a challenge of another change than the displayed one. */
  readonly diverted: string;
}

/**
 * Creates the approval of a change, signed with a passkey if the operator has one.
 * @param shown object that the page renders; a challenge for any other change is not signed
 */
export async function signApproval(
  shown: OperatorOutput<'approvals.get'>,
  { cancelled, diverted }: Texts,
): Promise<ProcedureInput<'approvals.approve'>> {
  const { id } = shown;
  const { options } = await callProcedure('approvals.passkeyOptions', { id });
  if (options === null) return { id };
  try {
    await verifyApprovalChallenge(shown, options.challenge);
  } catch (cause) {
    throw new UserFacingError(diverted, { cause });
  }
  try {
    return { id, response: await startAuthentication({ optionsJSON: options }) };
  } catch (cause) {
    throw new UserFacingError(cancelled, { cause });
  }
}
