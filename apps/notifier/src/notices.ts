import type { Database } from '@rubrica/database';
import type { Logger } from '@rubrica/process';
import { createEngine } from './engine/engine.ts';
import { domainOf, type MailTransport } from './mail/smtp.ts';
import { type ClaimedNotice, createNoticeStore, type NoticeRecord } from './notices/notice.store.ts';
import { sendNotice } from './notices/send-notice.ts';
import type { Peers } from './peers.ts';

export type NoticesDeps = {
  database: Pick<Database, 'statement'>;
  peers: Pick<Peers, 'partnerContact'>;
  transport: Pick<MailTransport, 'send'>;
  from: string;
  operatorAlertEmail: string | undefined;
  timeZone: string;
  logger: Logger;
  onAttempt(record: NoticeRecord): void;
};

export type Notices = { nudge(): void; start(): void; stop(): Promise<void> };

/** A few a week, so that nothing hurries. */
const pollMs = 5_000;
/** Under way at once. */
const connections = 1;
/** As for other letters. */
const attemptMs = 60_000;
const leaseMs = 90_000;

/** From the rows that say what is to be told to the mail server. */
export function createNotices(deps: NoticesDeps): Notices {
  const { from, logger } = deps;
  const store = createNoticeStore(deps.database);
  const sendDeps = {
    ...deps,
    budgetMs: attemptMs,
    missed: store.missed,
    messageIdDomain: domainOf(from),
    random: Math.random,
  };
  const engine = createEngine<ClaimedNotice, never, NoticeRecord>({
    ledger: store,
    attempt: (notice) => sendNotice(notice, sendDeps),
    limits: { total: 2, perDestination: connections, inHandPerDestination: 2 },
    attemptMs,
    leaseMs,
    pollMs,
    logger,
    onAttempt: deps.onAttempt,
  });
  return {
    nudge: engine.nudge,
    start: engine.start,
    stop: engine.stop,
  };
}
