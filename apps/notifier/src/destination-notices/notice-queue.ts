import type { Database } from '@rubrica/database/connection';
import type { Logger } from '@rubrica/process/log';
import type { Peers } from '@rubrica/wiring';
import { type MailTransport, parseDomain } from '../mail/smtp.ts';
import { createSendQueue, type SendQueue } from '../send-queue/send-queue.ts';
import { createNoticeStore, type LeasedNotice, type NoticeRecord } from './notice.store.ts';
import { type SendNoticeDeps, sendNotice } from './send-notice.ts';

export interface NoticeQueueDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly intake: Pick<Peers<'notifier'>['intake'], 'partners.contact'>;
  readonly transport: Pick<MailTransport, 'send'>;
  readonly from: string;
  readonly operatorAlertEmail: string | undefined;
  readonly timeZone: string;
  readonly logger: Logger;
  onAttempt(record: NoticeRecord): void;
}

export interface NoticeQueue {
  nudge(): void;
  start(): void;
  stop(): Promise<void>;
}

/** Poll interval; a few notices a week are not urgent. */
const pollMs = 5_000;
/** Number of concurrent attempts. */
const connections = 1;
/** Same budget as for other letters. */
const attemptMs = 60_000;
const leaseMs = 90_000;

/** Creates the queue that sends the stored notices. */
export function createNoticeQueue(deps: NoticeQueueDeps): NoticeQueue {
  const { from, logger } = deps;
  const store = createNoticeStore(deps.database);
  const sendDeps = {
    ...deps,
    budgetMs: attemptMs,
    missed: store.missed,
    messageIdDomain: parseDomain(from),
    random: Math.random,
  };
  const queue = createSendQueue<LeasedNotice, never, NoticeRecord>({
    ledger: store,
    limits: { total: 2, perDestination: connections, inHandPerDestination: 2 },
    attemptMs,
    leaseMs,
    pollMs,
    logger,
  });
  void sendReady(queue, { ...sendDeps, onAttempt: deps.onAttempt });
  return {
    nudge: queue.nudge,
    start: queue.start,
    stop: queue.stop,
  };
}

type SendDeps = SendNoticeDeps & Pick<NoticeQueueDeps, 'onAttempt'>;
type Queue = Pick<SendQueue<LeasedNotice, never, NoticeRecord>, 'ready' | 'finish'>;

/** Sends each notice when the queue yields it, until the queue has stopped. */
async function sendReady(queue: Queue, deps: SendDeps): Promise<void> {
  for await (const { item } of queue.ready) void send(item, queue, deps);
}

async function send(notice: LeasedNotice, queue: Queue, deps: SendDeps): Promise<void> {
  let record: NoticeRecord | undefined;
  try {
    record = await sendNotice(notice, deps);
    deps.onAttempt(record);
  } catch (err) {
    deps.logger.warn({ err, jobId: notice.id }, 'attempt lost');
  } finally {
    queue.finish(notice, record);
  }
}
