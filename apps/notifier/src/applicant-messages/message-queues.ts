import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import type { Database } from '@rubrica/database';
import type { Clock, Keyring, Logger } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import { domainOf, type MailTransport } from '../mail/smtp.ts';
import { createBatcher } from '../send-queue/batcher.ts';
import { codeSchedule, letterSchedule, type Schedule } from '../send-queue/retry-schedule.ts';
import { createSendQueue } from '../send-queue/send-queue.ts';
import type { SmsSender } from '../sms/sms-sender.ts';
import { createUnlessStored } from '../store/unless-stored.ts';
import {
  type ApplicantMessageRecord,
  createApplicantMessageInsert,
  createApplicantMessageStore,
  type LeasedApplicantMessage,
  type NewApplicantMessage,
  type QueueShare,
} from './applicant-message.store.ts';
import { receiveApplicantMessage } from './receive-applicant-message.ts';
import { type SendByChannel, sendApplicantMessage } from './send-applicant-message.ts';
import { createSendByMail } from './send-by-mail.ts';
import { createSendBySms } from './send-by-sms.ts';
import { allTemplates, kinds, templatesOf } from './template-kinds.ts';

export interface ApplicantMessageQueuesDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly keyring: Pick<Keyring, 'openText'>;
  readonly intake: Pick<Peers<'notifier'>['intake'], 'messages.get'>;
  readonly mail: {
    from: string;
    /** For letters: as many as are sent at once. */
    transport: MailTransport;
    concurrency: number;
    /** For codes by mail, which must not wait for a letter's connection. */
    codeTransport: MailTransport;
  };
  readonly sms: { sender: SmsSender; concurrency: number };
  readonly baseUrl: string;
  readonly timeZone: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Between two looks for rows that are due; a second unless a test cannot wait. */
  readonly pollMs?: number;
  onAttempt(record: ApplicantMessageRecord, channel: QueueShare['channel']): void;
}

export interface ApplicantMessageQueues {
  /** The work of one job, whichever its channel. @throws AppError when intake cannot answer */
  receive(messageId: string): Promise<void>;
  nudge(): void;
  start(): void;
  stop(): Promise<void>;
}

/** Connections for codes by mail. */
export const codeConnections = 2;

const usualPollMs = 1_000;
const maxInsert = 50;
/** An attempt may ask intake first. */
const preparingMs = 5_000;

/** One queue with room, schedule and leases of its own: none delays another. */
interface QueueSettings extends QueueShare {
  readonly send: SendByChannel;
  readonly schedule: Schedule;
  readonly concurrency: number;
  /** Taken at once: attempts under way, and those that wait for a connection. */
  readonly inHand: { readonly perTemplate: number; readonly total: number };
  readonly budgetMs: number;
  /** Of a lease, for waiting in hand and for the record. */
  readonly marginMs: number;
}

/**
 * Letters that are held ready of each template, by connection: a second of reminders is leased with its jobs, and intake is asked
 * for each once.
 */
const lettersInHand = 16;

/** Time for one mail server or provider: a mail server may greet a letter slowly; an applicant who waits for a code asks for another. */
const letterTimes = { budgetMs: 60_000, marginMs: 15_000 } as const;
const codeTimes = { budgetMs: 15_000, marginMs: 5_000 } as const;

/** Everything between a job and the mail server or the SMS provider. */
export function createApplicantMessageQueues(deps: ApplicantMessageQueuesDeps): ApplicantMessageQueues {
  const settings = settingsOf(deps);
  const letters = createQueue(settings.letters, deps);
  const mailedCodes = createQueue(settings.mailedCodes, deps);
  const sms = createQueue(settings.sms, deps);
  const queues = [letters, mailedCodes, sms];
  const insert = createBatcher<NewApplicantMessage, boolean>({
    maxItems: maxInsert,
    write: createApplicantMessageInsert(deps.database),
  });
  const unlessStored = createUnlessStored('message', deps.database);
  const byMail = { letter: letters, code: mailedCodes } as const;
  const queueOf = ({ channel, template }: Pick<messagesContract.OutgoingMessage, 'channel' | 'template'>) =>
    channel === 'sms' ? sms : byMail[kinds[template]];
  return {
    receive: (messageId) =>
      receiveApplicantMessage(messageId, { intake: deps.intake, insert, unlessStored, queueOf }),
    nudge() {
      for (const queue of queues) queue.nudge();
    },
    start() {
      for (const queue of queues) queue.start();
    },
    stop: async () => void (await Promise.all(queues.map((queue) => queue.stop()))),
  };
}

function settingsOf({ mail, sms, baseUrl, timeZone }: ApplicantMessageQueuesDeps) {
  const mailBy = (transport: MailTransport, { budgetMs }: Pick<QueueSettings, 'budgetMs'>) =>
    createSendByMail({ transport, messageIdDomain: domainOf(mail.from), budgetMs, baseUrl, timeZone });
  const letterTemplates = templatesOf('letter');
  const lettersWaiting = mail.concurrency * lettersInHand;
  const letters: QueueSettings = {
    channel: 'email',
    templates: letterTemplates,
    send: mailBy(mail.transport, letterTimes),
    schedule: letterSchedule,
    concurrency: mail.concurrency,
    // No template takes the room of another: they meet at the connections, where each waits behind few.
    inHand: { perTemplate: lettersWaiting, total: lettersWaiting * letterTemplates.length },
    ...letterTimes,
  };
  const mailedCodes: QueueSettings = {
    channel: 'email',
    templates: templatesOf('code'),
    send: mailBy(mail.codeTransport, codeTimes),
    schedule: codeSchedule,
    concurrency: codeConnections,
    inHand: onConnections(codeConnections),
    ...codeTimes,
  };
  const texts: QueueSettings = {
    channel: 'sms',
    templates: allTemplates,
    send: createSendBySms({ sender: sms.sender, timeZone, baseUrl }),
    schedule: codeSchedule,
    concurrency: sms.concurrency,
    inHand: onConnections(sms.concurrency),
    ...codeTimes,
  };
  return { letters, mailedCodes, sms: texts };
}

/** No more than connections: what waits in the ledger is taken template by template. */
function onConnections(connections: number): QueueSettings['inHand'] {
  return { perTemplate: connections, total: connections };
}

function createQueue(settings: QueueSettings, deps: ApplicantMessageQueuesDeps) {
  const { channel, concurrency, inHand, send, schedule } = settings;
  const attemptMs = preparingMs + settings.budgetMs;
  const leaseMs = attemptMs + settings.marginMs;
  const sendDeps = { ...deps, send, schedule, random: Math.random };
  const queue = createSendQueue<
    LeasedApplicantMessage,
    messagesContract.OutgoingMessage,
    ApplicantMessageRecord
  >({
    ledger: createApplicantMessageStore(deps.database, settings),
    attempt: (message, known) => sendApplicantMessage(message, known, sendDeps),
    limits: { total: inHand.total, perDestination: concurrency, inHandPerDestination: inHand.perTemplate },
    attemptMs,
    leaseMs,
    pollMs: deps.pollMs ?? usualPollMs,
    logger: deps.logger,
    onAttempt: (record) => deps.onAttempt(record, channel),
  });
  return { ...queue, leaseMs };
}
