import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import type { Database } from '@rubrica/database/connection';
import type { Keyring } from '@rubrica/process/keyring';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import type { Peers } from '@rubrica/wiring';
import { type MailTransport, parseDomain } from '../mail/smtp.ts';
import { createBatcher } from '../send-queue/batcher.ts';
import { codeSchedule, letterSchedule, type Schedule } from '../send-queue/retry-schedule.ts';
import { createSendQueue, type ReadyItem, type SendQueue } from '../send-queue/send-queue.ts';
import type { SmsSender } from '../sms/sms-sender.ts';
import { createIsStored } from '../store/gone-records.ts';
import {
  type ApplicantMessageRecord,
  createApplicantMessageInsert,
  createApplicantMessageStore,
  type LeasedApplicantMessage,
  type NewApplicantMessage,
  type QueueScope,
} from './applicant-message.store.ts';
import { receiveApplicantMessage } from './receive-applicant-message.ts';
import {
  type SendApplicantMessageDeps,
  type SendByChannel,
  sendApplicantMessage,
} from './send-applicant-message.ts';
import { createSendByMail } from './send-by-mail.ts';
import { createSendBySms } from './send-by-sms.ts';
import { allTemplates, listTemplates, revocationCodes } from './template-kinds.ts';

export interface ApplicantMessageQueuesDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly keyring: Pick<Keyring, 'openText'>;
  readonly intake: Pick<Peers<'notifier'>['intake'], 'messages.get'>;
  readonly mail: {
    from: string;
    /** Transport for letters, with one connection per concurrent letter. */
    transport: MailTransport;
    concurrency: number;
    /** Transport for codes by mail, which must not wait for a letter's connection. */
    codeTransport: MailTransport;
  };
  readonly sms: { sender: SmsSender; concurrency: number };
  readonly baseUrl: string;
  readonly timeZone: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Interval between two checks for due rows; tests shorten the default of one second. */
  readonly pollMs?: number;
  onAttempt(record: ApplicantMessageRecord, channel: QueueScope['channel']): void;
}

export interface ApplicantMessageQueues {
  /**
   * Processes one job of any channel.
   * @throws AppError when intake cannot answer
   */
  receive(messageId: string): Promise<void>;
  nudge(): void;
  start(): void;
  stop(): Promise<void>;
}

/** Connections for mailed codes, separate for revocation. */
const mailedCodeConnections = { revocation: 2, other: 2 } as const;
/** Connections for all mailed codes. */
export const codeConnections = mailedCodeConnections.revocation + mailedCodeConnections.other;

const defaultPollMs = 1_000;
const maxInsert = 50;
/** Time for a call to intake before an attempt. */
const preparationMs = 5_000;

/** Queue with its own capacity, schedule and leases, so that no queue delays another. */
interface QueueSettings extends QueueScope {
  readonly send: SendByChannel;
  readonly schedule: Schedule;
  readonly concurrency: number;
  /**
   * Maximum leased messages: attempts in progress, and those that wait for a connection. A lane is one template of one
   * partner.
   */
  readonly inHand: { readonly perLane: number; readonly total: number };
  readonly budgetMs: number;
  /** Part of a lease for the wait before the attempt and for the record. */
  readonly marginMs: number;
  readonly endsWithinMs?: number;
  readonly takesTurns: boolean;
}

/**
 * Leased letters per lane and connection. A second's worth of reminders is leased with its jobs, and intake is called
 * once for each.
 */
const lettersInHand = 16;
/**
 * Total capacity in full lanes: one partner's reminders leave capacity for its claim mails, and all are sent within the
 * budget.
 */
const fullLanes = 4;

/**
 * Times for a letter: a mail server may be slow to greet. An applicant who waits for a code requests another instead.
 */
const letterTimes = { budgetMs: 60_000, marginMs: 15_000 } as const;
/** Times for a code: one that expires within ten seconds could not be read and typed in time. */
const codeTimes = { budgetMs: 15_000, marginMs: 5_000, endsWithinMs: 10_000 } as const;

/** Creates the queues between the jobs and the mail server or SMS provider. */
export function createApplicantMessageQueues(deps: ApplicantMessageQueuesDeps): ApplicantMessageQueues {
  const queues = planQueues(deps).map((settings) => createQueue(settings, deps));
  const insert = createBatcher<NewApplicantMessage, boolean>({
    maxItems: maxInsert,
    write: createApplicantMessageInsert(deps.database),
  });
  const isStored = createIsStored('message', deps.database);
  const findQueue = ({
    channel,
    template,
  }: Pick<messagesContract.OutgoingMessage, 'channel' | 'template'>) => {
    const found = queues.find((queue) => queue.channel === channel && queue.templates.includes(template));
    if (found === undefined) throw new Error(`no queue sends ${template} by ${channel}`);
    return found;
  };
  return {
    receive: (messageId) =>
      receiveApplicantMessage(messageId, { intake: deps.intake, insert, isStored, findQueue }),
    nudge() {
      for (const queue of queues) queue.nudge();
    },
    start() {
      for (const queue of queues) queue.start();
    },
    stop: async () => void (await Promise.all(queues.map((queue) => queue.stop()))),
  };
}

function planQueues({ mail, sms, baseUrl, timeZone }: ApplicantMessageQueuesDeps): QueueSettings[] {
  const createMailSender = (transport: MailTransport, { budgetMs }: Pick<QueueSettings, 'budgetMs'>) =>
    createSendByMail({ transport, messageIdDomain: parseDomain(mail.from), budgetMs, baseUrl, timeZone });
  const lettersPerLane = mail.concurrency * lettersInHand;
  const letters: QueueSettings = {
    channel: 'email',
    templates: listTemplates('letter'),
    send: createMailSender(mail.transport, letterTimes),
    schedule: letterSchedule,
    concurrency: mail.concurrency,
    // Lanes share the connections, where each waits behind few letters of every other.
    inHand: { perLane: lettersPerLane, total: lettersPerLane * fullLanes },
    takesTurns: false,
    ...letterTimes,
  };
  const byMail = { channel: 'email', send: createMailSender(mail.codeTransport, codeTimes) } as const;
  const bySms = { channel: 'sms', send: createSendBySms({ sender: sms.sender, timeZone, baseUrl }) } as const;
  const smsConnections = splitSmsConnections(sms.concurrency);
  return [
    letters,
    planCodeQueue(byMail, excludeRevocation(listTemplates('code')), mailedCodeConnections.other),
    planCodeQueue(byMail, revocationCodes, mailedCodeConnections.revocation),
    planCodeQueue(bySms, excludeRevocation(allTemplates), smsConnections.other),
    planCodeQueue(bySms, revocationCodes, smsConnections.revocation),
  ];
}

/** Splits the calls: a quarter is for codes that revoke. A single call is shared: the sender lets one wait. */
function splitSmsConnections(concurrency: number): { revocation: number; other: number } {
  const revocation = Math.max(1, Math.floor(concurrency / 4));
  return { revocation, other: Math.max(1, concurrency - revocation) };
}

function excludeRevocation(templates: readonly messagesContract.MessageTemplate[]) {
  return templates.filter((template) => !revocationCodes.includes(template));
}

/**
 * Plans a queue for codes. It leases no more than there are connections: the rest waits in the ledger, which alternates
 * between partners.
 */
function planCodeQueue(
  by: Pick<QueueSettings, 'channel' | 'send'>,
  templates: QueueSettings['templates'],
  connections: number,
): QueueSettings {
  const inHand = { perLane: connections, total: connections };
  const settings = { schedule: codeSchedule, concurrency: connections, inHand, takesTurns: true };
  return { ...by, templates, ...settings, ...codeTimes };
}

function createQueue(settings: QueueSettings, deps: ApplicantMessageQueuesDeps) {
  const { channel, concurrency, endsWithinMs, inHand, send, schedule, takesTurns, templates } = settings;
  const { database } = deps;
  const attemptMs = preparationMs + settings.budgetMs;
  const leaseMs = attemptMs + settings.marginMs;
  const sendDeps = { ...deps, send, schedule, random: Math.random };
  const onAttempt = (record: ApplicantMessageRecord) => deps.onAttempt(record, channel);
  const queue = createSendQueue<
    LeasedApplicantMessage,
    messagesContract.OutgoingMessage,
    ApplicantMessageRecord
  >({
    ledger: createApplicantMessageStore({ database, channel, templates, endsWithinMs, onDropped: onAttempt }),
    limits: { total: inHand.total, perDestination: concurrency, inHandPerDestination: inHand.perLane },
    takesTurns,
    attemptMs,
    leaseMs,
    pollMs: deps.pollMs ?? defaultPollMs,
    logger: deps.logger,
  });
  void sendReady({ queue, onAttempt }, sendDeps);
  return { ...queue, channel, templates, leaseMs };
}

interface SendingQueue {
  readonly queue: Pick<
    SendQueue<LeasedApplicantMessage, messagesContract.OutgoingMessage, ApplicantMessageRecord>,
    'ready' | 'finish'
  >;
  onAttempt(record: ApplicantMessageRecord): void;
}

/** Sends each message when the queue yields it, until the queue has stopped. */
async function sendReady(sending: SendingQueue, deps: SendApplicantMessageDeps): Promise<void> {
  for await (const { item, known } of sending.queue.ready) void send({ ...sending, item, known }, deps);
}

async function send(
  {
    queue,
    item,
    known,
    onAttempt,
  }: SendingQueue & ReadyItem<LeasedApplicantMessage, messagesContract.OutgoingMessage>,
  deps: SendApplicantMessageDeps,
): Promise<void> {
  let record: ApplicantMessageRecord | undefined;
  try {
    record = await sendApplicantMessage(item, known, deps);
    onAttempt(record);
  } catch (err) {
    deps.logger.warn({ err, jobId: item.id }, 'attempt lost');
  } finally {
    queue.finish(item, record);
  }
}
