import { startAuthentication } from '@simplewebauthn/browser';
import { call, type InputOf } from '../../client/trpc.ts';
import { Told } from '../../texts/failures.ts';

/**
 * The approval of a change, signed by a passkey of who has one.
 * @param cancelled what is told where the browser gives no signature
 */
export async function signedApproval(id: string, cancelled: string): Promise<InputOf<'approvals.approve'>> {
  const { options } = await call('approvals.passkeyOptions', { id });
  if (options === null) return { id };
  try {
    return { id, response: await startAuthentication({ optionsJSON: options }) };
  } catch (cause) {
    throw new Told(cancelled, { cause });
  }
}
