import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderMail } from '../src/applicant-messages/render-mail.ts';
import { allTemplates } from '../src/applicant-messages/template-kinds.ts';
import { readDkim } from '../src/mail/dkim.ts';
import { toPlainLine } from '../src/mail/plain-line.ts';
import { createSmtpTransport } from '../src/mail/smtp.ts';
import { verifyDkim } from './support/dkim.ts';
import { notifierGround } from './support/ground.ts';
import { type ApplicantMessagesOptions, startApplicantMessages } from './support/messages.ts';
import { startSmtpServer } from './support/smtp-server.ts';

const ground = notifierGround();
let folder: string;
let tls: { key: string; cert: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rubrica-smtp-'));
  tls = await selfSigned();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function selfSigned() {
  const [key, cert] = [join(folder, 'tls.key'), join(folder, 'tls.crt')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert];
  await promisify(execFile)('openssl', [...request, ...subject]);
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
}

const setUp = (options: Partial<ApplicantMessagesOptions> = {}) =>
  startApplicantMessages({ ...ground, ...options });
type ApplicantMessageQueues = Awaited<ReturnType<typeof setUp>>;

const attempted = async (messages: ApplicantMessageQueues, id: string, times: number) => {
  await expect.poll(async () => (await messages.message(id)).attempts).toBe(times);
  return messages.message(id);
};

const from = 'Rubrica <no-reply@rubrica.example>';
const messageIdsOf = ({ smtp }: ApplicantMessageQueues) =>
  smtp.mails.map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1]?.trim());

describe('what a mail server answers', () => {
  it.each([
    ['GREETING', '421 4.3.2 shutting down'],
    ['MAIL', '451 4.7.1 <no-reply@rubrica.example> try again later'],
    ['RCPT', '450 4.2.0 <jane@mail.com> greylisted'],
    ['DATA', '451 4.3.0 no disk'],
    ['CONTENT', '452 4.2.2 <jane@mail.com> over quota for now'],
    ['MAIL', '530 5.7.0 authentication required'],
    ['CONTENT', '503 5.5.1 bad sequence'],
  ] as const)('is taken for the moment when it is, at %s, %s', async (on, reply) => {
    await using messages = await setUp();
    messages.smtp.faults.push({ on, reply });
    const id = await messages.addMessage();
    await messages.service.receive(id);
    const row = await attempted(messages, id, 1);
    expect(row.state).toBe('PENDING');
    expect(String(row.last_error)).not.toMatch(/jane|rubrica/);
    await messages.hurry(id);
    expect(await attempted(messages, id, 2)).toMatchObject({ state: 'SENT', last_error: null });
    expect(messageIdsOf(messages)).toEqual([`<${id}@rubrica.example>`]);
  });

  it.each([
    ['RCPT', '550 5.1.1 <jane@mail.com> unknown', 'refused the recipient (550 5.1.1, no such mailbox)'],
    ['RCPT', '552-5.2.2 full\r\n552 5.2.2 full', 'refused the recipient (552 5.2.2, the mailbox is full)'],
    ['RCPT', '550 no', 'refused the recipient (550)'],
    ['MAIL', '550 5.7.1 not you', 'refused the sender (550 5.7.1, not allowed by the receiver)'],
    ['CONTENT', '554 5.6.0 looks odd', 'refused the mail (554 5.6.0)'],
  ] as const)('is final when it is, at %s, %s', async (on, reply, error) => {
    await using messages = await setUp();
    messages.smtp.faults.push({ on, reply });
    const id = await messages.addMessage();
    await messages.service.receive(id);
    expect(await attempted(messages, id, 1)).toMatchObject({
      state: 'FAILED',
      last_error: `the mail server ${error}`,
    });
    expect(messages.smtp.mails).toEqual([]);
  });

  it('is asked once per attempt: a connection that drops after the content repeats nothing unseen', async () => {
    await using messages = await setUp();
    messages.smtp.faults.push({ on: 'CONTENT', reply: null });
    const id = await messages.addMessage();
    await messages.service.receive(id);
    expect(await attempted(messages, id, 1)).toMatchObject({ state: 'PENDING' });
    expect(messages.smtp.mails.length).toBe(1);
    await messages.hurry(id);
    expect(await attempted(messages, id, 2)).toMatchObject({ state: 'SENT' });
    expect(messageIdsOf(messages)).toEqual(Array(2).fill(`<${id}@rubrica.example>`));
  });

  it('is asked once per attempt on a connection that was used before, too', async () => {
    await using messages = await setUp();
    const before = await messages.addMessage();
    await messages.service.receive(before);
    await attempted(messages, before, 1);
    messages.smtp.faults.push({ on: 'CONTENT', reply: null });
    const id = await messages.addMessage();
    await messages.service.receive(id);
    expect(await attempted(messages, id, 1)).toMatchObject({ state: 'PENDING' });
    expect(messageIdsOf(messages)).toEqual([before, id].map((sent) => `<${sent}@rubrica.example>`));
  });

  it('costs no attempt when it is the end of a connection that was idle', async () => {
    await using messages = await setUp();
    const before = await messages.addMessage();
    await messages.service.receive(before);
    await attempted(messages, before, 1);
    await messages.smtp.goAway();
    await messages.smtp.comeBack();
    const id = await messages.addMessage();
    await messages.service.receive(id);
    expect(await attempted(messages, id, 1)).toMatchObject({ state: 'SENT' });
  });

  it('is waited for while the server is away, and nothing is lost', async () => {
    await using messages = await setUp();
    await messages.smtp.goAway();
    const ids = await Promise.all([1, 2, 3].map(() => messages.addMessage()));
    for (const id of ids) await messages.service.receive(id);
    for (const id of ids) {
      const row = await attempted(messages, id, 1);
      expect(row).toMatchObject({ state: 'PENDING' });
      expect(row.last_error).toBe('the mail server did not take the mail (ESOCKET)');
    }
    await messages.smtp.comeBack();
    for (const id of ids) await messages.hurry(id);
    for (const id of ids) expect(await attempted(messages, id, 2)).toMatchObject({ state: 'SENT' });
    expect(messages.smtp.mails.length).toBe(3);
  });
});

describe('TLS to the mail server', () => {
  it('is used where the server offers it', async () => {
    await using messages = await setUp({
      smtpServer: { tls },
      smtpQuery: '?tls.rejectUnauthorized=false',
    });
    const id = await messages.addMessage();
    await messages.service.receive(id);
    expect(await attempted(messages, id, 1)).toMatchObject({ state: 'SENT' });
    expect(messages.smtp.mails.map(({ secure }) => secure)).toEqual([true]);
  });

  it('must be with a certificate that is trusted', async () => {
    await using messages = await setUp({ smtpServer: { tls } });
    const id = await messages.addMessage();
    await messages.service.receive(id);
    expect(await attempted(messages, id, 1)).toMatchObject({ state: 'PENDING' });
    expect(messages.smtp.mails).toEqual([]);
  });

  it('can be insisted on, and then nothing is sent to a server that offers none', async () => {
    await using messages = await setUp({ smtpQuery: '?requireTLS=true' });
    const id = await messages.addMessage();
    await messages.service.receive(id);
    expect(await attempted(messages, id, 1)).toMatchObject({ state: 'PENDING' });
    expect(messages.smtp.mails).toEqual([]);
    expect(messages.smtp.commands).not.toContain('MAIL FROM:<no-reply@rubrica.example>');
  });
});

describe('a mail as it arrives', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom(
      'Jane\r\nBcc: x@y.z\r\n\r\nhello',
      '"Jane" <x@y.z>, other',
      '=?utf-8?Q?Jane=0D=0ABcc:_x@y.z?=',
      '=?UTF-8?B?QmNjOiB4QHkueg==?=',
      '\r\n.\r\nMAIL FROM:<x@y.z>',
      '.\r\n..\r\n',
      'multipart/mixed; boundary="--_NmP-"',
      '{partner} {applicant} $& $1',
    ),
  );
  const message = fc.record({
    applicantName: odd,
    partnerName: odd,
    template: fc.constantFrom(...allTemplates),
    language: fc.constantFrom('es' as const, 'en' as const),
    expiresAt: fc.constantFrom(null, '2027-01-10T04:30:00.000Z'),
  });

  const expected = new Set([
    'auto-submitted',
    'from',
    'to',
    'message-id',
    'subject',
    'date',
    'mime-version',
    'content-type',
  ]);

  it('has a subject that reads as it was given, in one line, whatever it holds', async () => {
    await using smtp = await startSmtpServer();
    const transport = createSmtpTransport({ url: smtp.url, from, maxConnections: 1 });
    const mail = { to: 'jane@mail.com', messageId: '<1@rubrica.example>', text: 'x', html: '<p>x' };
    await fc.assert(
      fc.asyncProperty(odd, async (name) => {
        smtp.mails.length = 0;
        const subject = `Destination disabled: ${name}`;
        await transport.send({ ...mail, subject }, 10_000);
        const taken = await PostalMime.parse(Buffer.from(smtp.mails[0]?.source ?? '', 'latin1'));
        expect(taken.headers.map(({ key }) => key).toSorted()).toEqual([...expected].toSorted());
        expect(taken.subject).toBe(toPlainLine(subject).replaceAll('=?', '= ?'));
      }),
      { numRuns: 150 },
    );
    transport.close();
  });

  it('has one sender, one recipient and the headers it should, whatever the names hold', async () => {
    await using smtp = await startSmtpServer();
    const transport = createSmtpTransport({ url: smtp.url, from, maxConnections: 1 });
    const context = { secret: '482913', baseUrl: 'https://rubrica.example', timeZone: 'America/Guayaquil' };
    await fc.assert(
      fc.asyncProperty(message, fc.emailAddress(), async (outgoing, to) => {
        smtp.mails.length = 0;
        smtp.commands.length = 0;
        const rendered = renderMail(outgoing, context);
        await transport.send({ ...rendered, to, messageId: '<1@rubrica.example>' }, 10_000);
        expect(smtp.mails.length).toBe(1);
        const rcpt = smtp.commands.filter((command) => /^RCPT/i.test(command));
        expect(rcpt.length).toBe(1);
        const mail = await PostalMime.parse(Buffer.from(smtp.mails[0]?.source ?? '', 'latin1'));
        expect(new Set(mail.headers.map(({ key }) => key))).toEqual(expected);
        expect(mail.headers.length).toBe(expected.size);
        expect(mail.from?.address).toBe('no-reply@rubrica.example');
        expect(mail.to?.length).toBe(1);
        expect(mail.to?.[0]?.address?.toLowerCase()).toBe(to.toLowerCase());
        expect(mail.subject).toBe(rendered.subject);
        expect(mail.messageId).toBe('<1@rubrica.example>');
        expect(mail.attachments).toEqual([]);
        expect(mail.text?.replaceAll('\r\n', '\n').trim()).toBe(rendered.text.trim());
        expect(mail.text).toContain(toPlainLine(outgoing.partnerName));
      }),
      { numRuns: 150 },
    );
    transport.close();
  });
});

describe('DKIM', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const keyFile = async (text: string) => {
    const file = join(await mkdtemp(join(folder, 'dkim-')), 'dkim.pem');
    await writeFile(file, text);
    return file;
  };

  it('signs what tells who wrote what to whom, so that the domain can be verified', async () => {
    await using smtp = await startSmtpServer();
    const dkim = await readDkim({
      domain: 'rubrica.example',
      selector: 's2026',
      keyFile: await keyFile(pem),
    });
    const transport = createSmtpTransport({ url: smtp.url, from, maxConnections: 1, dkim });
    const mail = {
      to: 'jane@mail.com',
      messageId: '<1@rubrica.example>',
      subject: 'Año',
      text: 'ñ',
      html: '<p>ñ',
    };
    await transport.send(mail, 10_000);
    transport.close();
    const source = smtp.mails[0]?.source ?? '';
    const signature = verifyDkim(source, publicKey);
    expect(signature).toMatchObject({
      valid: true,
      tags: { d: 'rubrica.example', s: 's2026', a: 'rsa-sha256' },
    });
    for (const name of ['from', 'to', 'subject', 'date', 'message-id']) {
      expect(signature.signed).toContain(name);
    }
    expect(verifyDkim(source.replace('Auto-Submitted', 'X-Other'), publicKey).valid).toBe(true);
    expect(verifyDkim(source.replace('jane@mail.com', 'june@mail.com'), publicKey).valid).toBe(false);
    expect(verifyDkim(source.replace('text/html', 'text/plain'), publicKey).valid).toBe(false);
  });

  it('is left out where nothing is set', async () => {
    expect(await readDkim({})).toBeUndefined();
  });

  it('is refused at the start with a key that is missing, weak or of another kind', async () => {
    const rsa1024 = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey;
    const ed25519 = generateKeyPairSync('ed25519').privateKey;
    const settings = { domain: 'rubrica.example', selector: 's' };
    await expect(readDkim({ ...settings, keyFile: join(folder, 'none') })).rejects.toThrow('cannot be read');
    for (const text of [
      ...[rsa1024, ed25519].map((key) => key.export({ type: 'pkcs8', format: 'pem' }).toString()),
      'x',
    ]) {
      await expect(readDkim({ ...settings, keyFile: await keyFile(text) })).rejects.toThrow(
        'RSA private key',
      );
    }
  });
});
