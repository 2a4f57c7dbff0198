import type { messagesContract } from '@rubrica/contracts';
import type { Database } from '@rubrica/database';
import type { Keyring, Logger } from '@rubrica/service';
import { createBatcher } from './engine/batcher.ts';
import { createEngine } from './engine/engine.ts';
import {
  type ClaimedMessage,
  createMessageInsert,
  createMessageStore,
  type MessageRecord,
  type NewMessage,
} from './mail/message.store.ts';
import { sendMessage } from './mail/send-message.ts';
import { createSmtpTransport, domainOf } from './mail/smtp.ts';
import type { Peers } from './peers.ts';
import { receiveMessage } from './receive-message/receive-message.ts';

export type MailsDeps = {
  database: Pick<Database, 'statement'>;
  keyring: Keyring;
  peers: Pick<Peers, 'message'>;
  smtpUrl: string;
  from: string;
  concurrency: number;
  baseUrl: string;
  timeZone: string;
  logger: Logger;
  onAttempt(record: MessageRecord): void;
};

export type Mails = {
  /** The work of one job. @throws AppError when intake cannot answer */
  receive(messageId: string): Promise<void>;
  nudge(): void;
  start(): void;
  stop(): Promise<void>;
};

const pollMs = 1_000;
const maxInsert = 50;
/** The SMTP time-outs together: name, connection, greeting, and a reply after the content. */
const attemptMs = 60_000;
const leaseMs = 90_000;

/** Everything between a job and the mail server. */
export function createMails(deps: MailsDeps): Mails {
  const { database, concurrency, from, logger } = deps;
  const transport = createSmtpTransport({ url: deps.smtpUrl, from, maxConnections: concurrency });
  const sendDeps = { ...deps, transport, messageIdDomain: domainOf(from), random: Math.random };
  const engine = createEngine<ClaimedMessage, messagesContract.OutgoingMessage, MessageRecord>({
    ledger: createMessageStore(database),
    attempt: (message, known) => sendMessage(message, known, sendDeps),
    limits: { total: concurrency * 2, perDestination: concurrency, inHandPerDestination: concurrency * 2 },
    attemptMs,
    leaseMs,
    pollMs,
    logger,
    onAttempt: deps.onAttempt,
  });
  const insert = createBatcher<NewMessage, boolean>({
    maxItems: maxInsert,
    write: createMessageInsert({ database, leaseMs }),
  });
  return {
    receive: (messageId) => receiveMessage(messageId, { peers: deps.peers, insert, engine }),
    nudge: engine.nudge,
    start: engine.start,
    async stop() {
      await engine.stop();
      transport.close();
    },
  };
}
