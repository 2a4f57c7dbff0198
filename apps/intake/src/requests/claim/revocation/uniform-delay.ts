import type { RevocationTarget } from '@rubrica/contracts/services/schemas/revocations';

/** Minimum duration of an answer, longer than either answer takes, so that the duration reveals nothing. */
const minMs = 400;

/**
 * Gives every answer a minimum duration. A caller who names a certificate by number and serial learns nothing
 * of it without a code. Neither the answer nor its duration shows whether the certificate exists. With a link
 * the answer may come at once.
 */
export async function withUniformDelay<Done>(
  target: RevocationTarget,
  work: () => Promise<Done>,
): Promise<Done> {
  if ('sealedToken' in target) return work();
  const minimum = new Promise((resolve) => setTimeout(resolve, minMs));
  const [outcome] = await Promise.allSettled([work(), minimum]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
