import type { Caller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { OperatorCaller, PartnerCaller } from '@rubrica/process';

/** Whom a call is made for. At the gateway with the token that was shown at its door, sealed to intake. */
export type OnWhoseBehalf = (PartnerCaller | OperatorCaller) & { readonly sealedToken?: string };

/**
 * The token that shows a receiver for whom a call is made.
 * @throws AppError where it cannot be had now, or the rights have ended
 */
export type Prove = (who: OnWhoseBehalf, receiver: ServiceName) => Promise<string> | string;

/** Nothing for a call that the service makes as itself: the subject says which service that is. */
export async function proofOf(
  who: Caller | undefined,
  receiver: ServiceName,
  prove: Prove | undefined,
): Promise<string | undefined> {
  if (who === undefined || who.kind === 'service' || who.kind === 'public') return undefined;
  if (prove === undefined) throw new Error('this service makes calls as itself alone');
  return prove(who, receiver);
}
