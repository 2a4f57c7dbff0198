import type { messagesContract } from '@rubrica/contracts';
import { uuidv7 } from '@rubrica/service';
import { type TestPostgres, testPostgres } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMails } from '../src/mails.ts';
import { notifierSchema, openNotifierDatabase, silentLogger } from './support/database.ts';
import { type KeyFolder, keyFolder } from './support/keyrings.ts';
import { startSmtpServer } from './support/smtp-server.ts';

let postgres: TestPostgres;
let keys: KeyFolder;

beforeAll(async () => {
  postgres = await testPostgres();
  keys = await keyFolder('notifier');
});
afterAll(async () => {
  await keys?.[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
});

const token = 'secret-token-of-the-link';

/** The mail half of the service in this process, with intake played by the test. */
async function setUp() {
  const smtp = await startSmtpServer();
  const database = openNotifierDatabase(await notifierSchema(postgres));
  const keyring = await keys.keyring('notifier');
  const messages = new Map<string, messagesContract.OutgoingMessage>();
  const mails = createMails({
    database,
    keyring,
    peers: {
      message: async (id) => messages.get(id) ?? Promise.reject(new Error('intake is away')),
    },
    smtpUrl: smtp.url,
    from: 'Rubrica <no-reply@rubrica.example>',
    concurrency: 2,
    baseUrl: 'http://127.0.0.1:3000',
    timeZone: 'America/Guayaquil',
    logger: silentLogger,
    onAttempt: () => undefined,
  });
  mails.start();
  const sealedSecret = await keyring.sealTo('notifier', token);
  return {
    smtp,
    mails,
    messages,
    database,
    async addMessage(overrides: Partial<messagesContract.OutgoingMessage> = {}) {
      const message: messagesContract.OutgoingMessage = {
        messageId: uuidv7(),
        requestId: uuidv7(),
        template: 'claim',
        language: 'es',
        to: 'jane@mail.com',
        applicantName: 'María José Ñúñez',
        partnerName: 'Cooperativa Andina',
        expiresAt: '2027-01-10T04:30:00.000Z',
        sealedSecret,
        ...overrides,
      };
      messages.set(message.messageId, message);
      return message.messageId;
    },
    async message(id: string) {
      const [row] = await database.execute('select * from message where id = $1', [id]);
      return row ?? {};
    },
    /** Lets the next attempt be due now instead of seconds later. */
    async hurry(id: string) {
      await database.execute('update message set due_at = now() where id = $1', [id]);
      mails.nudge();
    },
    async [Symbol.asyncDispose]() {
      await mails.stop();
      await database.close();
      await smtp[Symbol.asyncDispose]();
    },
  };
}

const messageIdOf = (source: string | undefined) => /^Message-ID: (.*)$/im.exec(source ?? '')?.[1]?.trim();

describe('a claim mail', () => {
  it('is sent once, in both forms, from and to the right addresses', async () => {
    await using notifier = await setUp();
    const id = await notifier.addMessage();
    await Promise.all([notifier.mails.receive(id), notifier.mails.receive(id)]);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
    await notifier.mails.receive(id);
    expect(notifier.smtp.mails.length).toBe(1);
    const [mail] = notifier.smtp.mails;
    expect(mail?.to).toBe('jane@mail.com');
    expect(mail?.source).toMatch(/^From: Rubrica <no-reply@rubrica.example>$/m);
    expect(mail?.source).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(mail?.source).toContain('multipart/alternative');
    expect(messageIdOf(mail?.source)).toBe(`<${id}@rubrica.example>`);
    expect(await notifier.message(id)).toMatchObject({ attempts: 1, recipient_masked: 'j***@m***.com' });
  });

  it('leaves neither link nor address in the ledger', async () => {
    await using notifier = await setUp();
    const id = await notifier.addMessage();
    await notifier.mails.receive(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
    const row = JSON.stringify(await notifier.message(id));
    for (const secret of [token, 'jane@mail.com', 'Ñúñez']) expect(row).not.toContain(secret);
  });

  it.each([
    ['a temporary refusal of the recipient', 'RCPT', '450 greylisted'],
    ['a full mailbox for now', 'CONTENT', '452 come back'],
    ['a connection that drops at the content', 'DATA', null],
  ] as const)('is sent again after %s, under the same Message-ID', async (_, on, reply) => {
    await using notifier = await setUp();
    notifier.smtp.faults.push({ on, reply });
    const id = await notifier.addMessage();
    await notifier.mails.receive(id);
    await expect.poll(async () => (await notifier.message(id)).attempts).toBe(1);
    expect(await notifier.message(id)).toMatchObject({ state: 'PENDING' });
    await notifier.hurry(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
    expect(notifier.smtp.mails.map(({ source }) => messageIdOf(source))).toEqual([`<${id}@rubrica.example>`]);
  });

  it('may come twice, under one Message-ID, when the connection drops after the content', async () => {
    await using notifier = await setUp();
    notifier.smtp.faults.push({ on: 'CONTENT', reply: null });
    const id = await notifier.addMessage();
    await notifier.mails.receive(id);
    await expect.poll(async () => (await notifier.message(id)).attempts).toBe(1);
    await notifier.hurry(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
    const ids = notifier.smtp.mails.map(({ source }) => messageIdOf(source));
    expect(ids).toEqual([`<${id}@rubrica.example>`, `<${id}@rubrica.example>`]);
  });

  it('fails for good when the server refuses the recipient for good', async () => {
    await using notifier = await setUp();
    notifier.smtp.faults.push({ on: 'RCPT', reply: '550 <jane@mail.com> unknown' });
    const id = await notifier.addMessage();
    await notifier.mails.receive(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('FAILED');
    expect((await notifier.message(id)).last_error).toBe('the mail server refused the mail (550)');
  });

  it('is not sent once a newer one has taken its place', async () => {
    await using notifier = await setUp();
    notifier.smtp.faults.push({ on: 'MAIL', reply: '421 not now' });
    const id = await notifier.addMessage();
    await notifier.mails.receive(id);
    await expect.poll(async () => (await notifier.message(id)).attempts).toBe(1);
    await notifier.addMessage({ ...notifier.messages.get(id), sealedSecret: null });
    await notifier.hurry(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SUPERSEDED');
    expect(notifier.smtp.mails).toEqual([]);
  });

  it('waits while intake is away', async () => {
    await using notifier = await setUp();
    notifier.smtp.faults.push({ on: 'MAIL', reply: '421 not now' });
    const id = await notifier.addMessage();
    await notifier.mails.receive(id);
    await expect.poll(async () => (await notifier.message(id)).attempts).toBe(1);
    const known = notifier.messages.get(id);
    notifier.messages.delete(id);
    await notifier.hurry(id);
    await expect.poll(async () => (await notifier.message(id)).attempts).toBe(2);
    expect(await notifier.message(id)).toMatchObject({
      state: 'PENDING',
      last_error: 'the mail could not be prepared',
    });
    if (known !== undefined) notifier.messages.set(id, known);
    await notifier.hurry(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
  });

  it.each(['jane@mail.com, x@y.z', 'jane@mail.com>\r\nRCPT TO:<x@y.z', 'jane@mail.com\r\nBcc: x@y.z'])(
    'goes to nobody when the address is %j',
    async (to) => {
      await using notifier = await setUp();
      const id = await notifier.addMessage({ to });
      await notifier.mails.receive(id);
      await expect.poll(async () => (await notifier.message(id)).state).toBe('FAILED');
      expect((await notifier.message(id)).last_error).toBe('the recipient is no e-mail address');
      expect(notifier.smtp.commands).toEqual([]);
    },
  );

  it('gains no header through a name', async () => {
    await using notifier = await setUp();
    const hostile = 'Jane\r\nBcc: x@y.z\r\n\r\nhello';
    const id = await notifier.addMessage({ applicantName: hostile, partnerName: hostile });
    await notifier.mails.receive(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
    const source = notifier.smtp.mails[0]?.source ?? '';
    expect(source.slice(0, source.indexOf('\r\n\r\n'))).not.toMatch(/^Bcc:/im);
    expect(notifier.smtp.commands.filter((command) => command.startsWith('RCPT'))).toEqual([
      'RCPT TO:<jane@mail.com>',
    ]);
  });
});
