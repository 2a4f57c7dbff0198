import { type PeriodicJob, startPeriodicJob } from '../../base/periodic-job.ts';
import type { RequestsDeps } from '../deps.ts';
import { notifyPeers } from './notify-peers.ts';
import { sweepRetention } from './sweep-retention.ts';

type RetentionDeps = Pick<RequestsDeps, 'database' | 'clock' | 'rules' | 'logger' | 'peers'>;

/** Erases what is due and notifies the peers, every minute, until stopped. */
export function startRetention(deps: RetentionDeps, everyMs = 60_000): PeriodicJob {
  const { database, clock, rules, logger } = deps;
  const runRetention = async () => {
    const count = await sweepRetention(database, { now: clock(), days: rules.retention });
    if (count > 0) logger.info({ count }, 'requests erased at the end of their retention');
    await notifyPeers(deps);
  };
  return startPeriodicJob(runRetention, { everyMs, what: 'retention sweep', logger });
}
