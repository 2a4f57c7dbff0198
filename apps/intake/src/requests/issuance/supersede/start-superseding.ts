import type { Logger } from '@rubrica/process/log';
import { type PeriodicJob, startPeriodicJob } from '../../../base/periodic-job.ts';
import { type SupersedeDeps, supersedeFormer } from './supersede-former.ts';

/**
 * Interval of the job. A partner has been notified of the new certificate and waits for the end of the former
 * one.
 */
const everyMs = 2_000;

/** Supersedes due certificates every two seconds, until stopped. */
export function startSuperseding(
  deps: SupersedeDeps & { readonly logger: Pick<Logger, 'warn' | 'error'> },
): PeriodicJob {
  const { logger } = deps;
  return startPeriodicJob(() => supersedeFormer(deps), {
    everyMs,
    what: 'certificate supersession',
    logger,
  });
}
