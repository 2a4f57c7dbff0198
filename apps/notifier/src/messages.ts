import type * as messagesContract from '@rubrica/contracts/services/schemas/notices';
import type { Database } from '@rubrica/database';
import type { Clock, Keyring, Logger } from '@rubrica/process';
import { createBatcher } from './engine/batcher.ts';
import { createEngine } from './engine/engine.ts';
import { codeSchedule, messageSchedule, type Schedule } from './engine/schedule.ts';
import { createDeliverMail } from './mail/deliver-mail.ts';
import { domainOf, type MailTransport } from './mail/smtp.ts';
import { allTemplates, kinds, templatesOf } from './message/kinds.ts';
import {
  type ClaimedMessage,
  createMessageInsert,
  createMessageStore,
  type MessageRecord,
  type MessageShare,
  type NewMessage,
} from './message/message.store.ts';
import { type Deliver, sendMessage } from './message/send-message.ts';
import type { Peers } from './peers.ts';
import { receiveMessage } from './receive-message/receive-message.ts';
import { createDeliverSms } from './sms/deliver-sms.ts';
import type { SmsSender } from './sms/sms-sender.ts';

export type MessagesDeps = {
  database: Pick<Database, 'statement'>;
  keyring: Pick<Keyring, 'openText'>;
  peers: Pick<Peers, 'message'>;
  mail: {
    from: string;
    /** For letters: as many as are sent at once. */
    transport: MailTransport;
    concurrency: number;
    /** For codes by mail, which must not wait for a letter's connection. */
    codeTransport: MailTransport;
  };
  sms: { sender: SmsSender; concurrency: number };
  baseUrl: string;
  timeZone: string;
  clock: Clock;
  logger: Logger;
  onAttempt(record: MessageRecord, channel: MessageShare['channel']): void;
};

export type Messages = {
  /** The work of one job, whichever its channel. @throws AppError when intake cannot answer */
  receive(messageId: string): Promise<void>;
  nudge(): void;
  start(): void;
  stop(): Promise<void>;
};

/** Connections for codes by mail. */
export const codeConnections = 2;

const pollMs = 1_000;
const maxInsert = 50;
/** An attempt may ask intake first. */
const preparingMs = 5_000;
/** For waiting in hand and for the record. */
const leaseMarginMs = 5_000;

/** One stream of messages with room, schedule and leases of its own: none holds up another. */
type Line = MessageShare & { deliver: Deliver; schedule: Schedule; concurrency: number; budgetMs: number };

/** Time for one mail server or provider: a letter may be greeted slowly, whoever waits for a code asks for another. */
const budgets = { letterMs: 60_000, codeMs: 15_000 } as const;

/** Everything between a job and the mail server or the SMS provider. */
export function createMessages(deps: MessagesDeps): Messages {
  const lines = createLines(deps);
  const letters = startable(lines.letters, deps);
  const mailedCodes = startable(lines.mailedCodes, deps);
  const sms = startable(lines.sms, deps);
  const engines = [letters, mailedCodes, sms];
  const insert = createBatcher<NewMessage, boolean>({
    maxItems: maxInsert,
    write: createMessageInsert(deps.database),
  });
  const byMail = { letter: letters, code: mailedCodes } as const;
  const engineOf = ({ channel, template }: Pick<messagesContract.OutgoingMessage, 'channel' | 'template'>) =>
    channel === 'sms' ? sms : byMail[kinds[template]];
  return {
    receive: (messageId) => receiveMessage(messageId, { peers: deps.peers, insert, engineOf }),
    nudge() {
      for (const engine of engines) engine.nudge();
    },
    start() {
      for (const engine of engines) engine.start();
    },
    stop: async () => void (await Promise.all(engines.map((engine) => engine.stop()))),
  };
}

function createLines({ mail, sms, baseUrl, timeZone }: MessagesDeps) {
  const mailBy = (transport: MailTransport, budgetMs: number) =>
    createDeliverMail({ transport, messageIdDomain: domainOf(mail.from), budgetMs, baseUrl, timeZone });
  const letters: Line = {
    channel: 'email',
    templates: templatesOf('letter'),
    deliver: mailBy(mail.transport, budgets.letterMs),
    schedule: messageSchedule,
    concurrency: mail.concurrency,
    budgetMs: budgets.letterMs,
  };
  const mailedCodes: Line = {
    channel: 'email',
    templates: templatesOf('code'),
    deliver: mailBy(mail.codeTransport, budgets.codeMs),
    schedule: codeSchedule,
    concurrency: codeConnections,
    budgetMs: budgets.codeMs,
  };
  const texts: Line = {
    channel: 'sms',
    templates: allTemplates,
    deliver: createDeliverSms({ sender: sms.sender, timeZone }),
    schedule: codeSchedule,
    concurrency: sms.concurrency,
    budgetMs: budgets.codeMs,
  };
  return { letters, mailedCodes, sms: texts };
}

function startable(line: Line, deps: MessagesDeps) {
  const { channel, concurrency, deliver, schedule } = line;
  const attemptMs = preparingMs + line.budgetMs;
  const leaseMs = attemptMs + leaseMarginMs;
  const sendDeps = { ...deps, deliver, schedule, random: Math.random };
  const engine = createEngine<ClaimedMessage, messagesContract.OutgoingMessage, MessageRecord>({
    ledger: createMessageStore(deps.database, line),
    attempt: (message, known) => sendMessage(message, known, sendDeps),
    // No more in hand than connections: what waits in the ledger is taken template by template.
    limits: { total: concurrency, perDestination: concurrency, inHandPerDestination: concurrency },
    attemptMs,
    leaseMs,
    pollMs,
    logger: deps.logger,
    onAttempt: (record) => deps.onAttempt(record, channel),
  });
  return { ...engine, leaseMs };
}
