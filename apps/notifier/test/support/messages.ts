import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { uuidv7 } from '@rubrica/process/time';
import type { TestDatabases } from '@rubrica/testkit';
import type { ApplicantMessageRecord } from '../../src/applicant-messages/applicant-message.store.ts';
import {
  type ApplicantMessageQueuesDeps,
  createApplicantMessageQueues,
} from '../../src/applicant-messages/message-queues.ts';
import { secretPurpose } from '../../src/applicant-messages/template-kinds.ts';
import { createSmtpTransport } from '../../src/mail/smtp.ts';
import { createHttpSms } from '../../src/sms/http-sms.ts';
import { notifierSchema, openNotifierDatabase, silentLogger } from './database.ts';
import type { KeyFolder } from './keyrings.ts';
import { startSmsProvider } from './sms-provider.ts';
import { type SmtpServerOptions, startSmtpServer } from './smtp-server.ts';

export const token = 'secret-token-of-the-link';
export const code = '482913';
const partnerId = uuidv7();

export type ApplicantMessagesOptions = {
  databases: TestDatabases;
  keys: KeyFolder;
  smtpServer?: SmtpServerOptions;
  /** Added to the mail server's address. */
  smtpQuery?: string;
  overrides?: Partial<ApplicantMessageQueuesDeps>;
};

/** Mail and SMS of the service in this process, with intake played by the test. */
export async function startApplicantMessages({
  databases,
  keys,
  smtpServer = {},
  smtpQuery = '',
  overrides = {},
}: ApplicantMessagesOptions) {
  const smtp = await startSmtpServer(smtpServer);
  const provider = await startSmsProvider();
  const keyring = await keys.keyring('notifier');
  const database = openNotifierDatabase(await notifierSchema(databases), keyring);
  const messages = new Map<string, messagesContract.OutgoingMessage>();
  const attempts: ApplicantMessageRecord[] = [];
  let onAsked: (messageId: string) => void = () => undefined;
  const from = 'Rubrica <no-reply@rubrica.example>';
  const clock = () => new Date();
  const transport = (maxConnections: number) =>
    createSmtpTransport({ url: `${smtp.url}${smtpQuery}`, from, maxConnections });
  const channels = { letters: transport(2), codes: transport(1) };
  const sender = createHttpSms({
    url: provider.url,
    token: 'sms-token',
    timeoutMs: 400,
    connections: 2,
    clock,
  });
  const service = createApplicantMessageQueues({
    database,
    keyring,
    intake: {
      'messages.get': async ({ messageId }) => {
        onAsked(messageId);
        return messages.get(messageId) ?? Promise.reject(new Error('intake is away'));
      },
    },
    mail: { from, transport: channels.letters, codeTransport: channels.codes, concurrency: 2 },
    sms: { sender, concurrency: 2 },
    baseUrl: 'http://127.0.0.1:3000',
    timeZone: 'America/Guayaquil',
    clock,
    logger: silentLogger,
    pollMs: 25,
    onAttempt: (record) => attempts.push(record),
    ...overrides,
  });
  service.start();
  /** As intake keeps it: bound to the message's request, as a link or as a code. */
  const add = async (secret: string, changes: Partial<messagesContract.OutgoingMessage>) => {
    const message = { ...claimMail(), ...changes };
    const purpose = secretPurpose(message.template) ?? 'claim-link';
    const sealedSecret = await keyring.sealTo('notifier', secret, {
      purpose,
      owner: message.requestId ?? message.messageId,
    });
    messages.set(message.messageId, { ...message, sealedSecret, ...changes });
    return message.messageId;
  };
  return {
    smtp,
    provider,
    service,
    messages,
    database,
    attempts,
    /** From now on, for each time that intake is asked for a message. */
    onAsked(listener: typeof onAsked) {
      onAsked = listener;
    },
    async addMessage(changes: Partial<messagesContract.OutgoingMessage> = {}) {
      return add(token, changes);
    },
    async addCode(changes: Partial<messagesContract.OutgoingMessage> = {}) {
      return add(code, {
        channel: 'sms',
        template: 'claim-code',
        to: '+593991234123',
        expiresAt: new Date(Date.now() + 5 * MINUTE_MS).toISOString(),
        ...changes,
      });
    },
    async message(id: string) {
      const [row] = await database.execute('select * from message where id = $1', [id]);
      return row ?? {};
    },
    /** Lets the next attempt be due now instead of seconds later. */
    async hurry(id: string) {
      await database.execute('update message set due_at = now() where id = $1', [id]);
      service.nudge();
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      channels.letters.close();
      channels.codes.close();
      await sender.close();
      await database.close();
      await smtp[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

const claimMail = (): messagesContract.OutgoingMessage => ({
  messageId: uuidv7(),
  requestId: uuidv7(),
  partnerId,
  channel: 'email',
  template: 'claim',
  language: 'es',
  to: 'jane@mail.com',
  applicantName: 'María José Ñúñez',
  partnerName: 'Cooperativa Andina',
  expiresAt: '2099-01-10T04:30:00.000Z',
  sealedSecret: null,
});
