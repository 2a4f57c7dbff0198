import type { Caller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { OperatorCaller, PartnerCaller } from '@rubrica/process/trpc';

/** Principal of a call. At the gateway it has the token that the caller sent, sealed to intake. */
export type OnWhoseBehalf = (PartnerCaller | OperatorCaller) & { readonly sealedToken?: string };

/**
 * Obtains the token that proves the principal of a call to a receiver.
 * @throws AppError if it is not available now, or the rights have ended
 */
export type Prove = (who: OnWhoseBehalf, receiver: ServiceName) => Promise<string> | string;

/**
 * Obtains the proof of a call; undefined for a call that the service makes as itself, because the subject names that
 * service.
 */
export async function createCallProof(
  who: Caller | undefined,
  receiver: ServiceName,
  prove: Prove | undefined,
): Promise<string | undefined> {
  if (who === undefined || who.kind === 'service' || who.kind === 'public') return undefined;
  if (prove === undefined) throw new Error('this service makes calls as itself alone');
  return prove(who, receiver);
}
