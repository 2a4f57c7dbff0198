import { verifyApprovalChallenge } from '@rubrica/contracts/shared/approval-challenge';
import { startAuthentication } from '@simplewebauthn/browser';
import { call, type InputOf, type OperatorOutput } from '../../client/trpc.ts';
import { Told } from '../../texts/failures.ts';

interface Texts {
  /** The browser gives no signature. */
  readonly cancelled: string;
  /** The challenge is for another change than the one that is shown. */
  readonly diverted: string;
}

/**
 * The approval of a change, signed by a passkey of who has one.
 * @param shown the object that the page renders: nothing is signed by a challenge for any other change
 */
export async function signedApproval(
  shown: OperatorOutput<'approvals.get'>,
  { cancelled, diverted }: Texts,
): Promise<InputOf<'approvals.approve'>> {
  const { id } = shown;
  const { options } = await call('approvals.passkeyOptions', { id });
  if (options === null) return { id };
  try {
    await verifyApprovalChallenge(shown, options.challenge);
  } catch (cause) {
    throw new Told(diverted, { cause });
  }
  try {
    return { id, response: await startAuthentication({ optionsJSON: options }) };
  } catch (cause) {
    throw new Told(cancelled, { cause });
  }
}
