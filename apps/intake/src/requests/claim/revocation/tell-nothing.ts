import type { RevocationTarget } from '@rubrica/contracts/services/schemas/revocations';

/** More than either answer takes of itself, so that the time of an answer tells nothing either. */
const leastMs = 400;

/**
 * Who names a certificate by number and serial learns nothing of it without a code: not whether it is there, and not by
 * how long an answer takes. With a link the answer may come as it is.
 */
export async function inEvenTime<Done>(target: RevocationTarget, work: () => Promise<Done>): Promise<Done> {
  if ('sealedToken' in target) return work();
  const least = new Promise((resolve) => setTimeout(resolve, leastMs));
  const [done] = await Promise.allSettled([work(), least]);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}
