import type { Logger } from '@rubrica/process';
import { type Rounds, startRounds } from '../../../base/rounds.ts';
import { type SupersedeDeps, supersedeFormer } from './supersede-former.ts';

/** A partner has been told that the new certificate is there, and waits for the end of the former. */
const everyMs = 2_000;

/** Supersedes what is due, every two seconds, until stopped. */
export function startSuperseding(
  deps: SupersedeDeps & { readonly logger: Pick<Logger, 'warn' | 'error'> },
): Rounds {
  const { logger } = deps;
  return startRounds(() => supersedeFormer(deps), {
    everyMs,
    what: 'superseding certificates',
    logger,
  });
}
