import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@rubrica/testkit/processes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startHttp } from '../src/mail-catcher/http.ts';
import { startSmtp } from '../src/mail-catcher/smtp.ts';
import { type CaughtMessage, openMessageStore } from '../src/mail-catcher/store.ts';

let folder: string;
let smtpPort: number;
let base: string;
let stop: () => Promise<unknown>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rubrica-mail-'));
  const [smtp, http] = (await freePorts([undefined, undefined])) as [number, number];
  smtpPort = smtp;
  base = `http://127.0.0.1:${http}`;
  const store = openMessageStore(join(folder, 'messages.jsonl'));
  const servers = await Promise.all([startSmtp({ port: smtp, store }), startHttp({ port: http, store })]);
  stop = () => Promise.all(servers.map((server) => server.stop()));
});
afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

const messages = async (to?: string) =>
  (await (
    await fetch(`${base}/messages${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`)
  ).json()) as CaughtMessage[];

/** Speaks SMTP as any client would; gives the server's last answer. */
async function sendMail(recipients: string[], source: string): Promise<string> {
  const socket = connect(smtpPort, '127.0.0.1').setEncoding('utf8');
  const answers = socket[Symbol.asyncIterator]();
  const lines = [
    'EHLO test',
    'MAIL FROM:<no-reply@rubrica.test>',
    ...recipients.map((to) => `RCPT TO:<${to}>`),
    'DATA',
    `${source.replaceAll('\n', '\r\n')}\r\n.`,
  ];
  let last = (await answers.next()).value as string;
  for (const line of lines) {
    socket.write(`${line}\r\n`);
    last = (await answers.next()).value;
  }
  socket.end('QUIT\r\n');
  return last;
}

const mail = `From: Rubrica <no-reply@rubrica.test>
To: maria@example.com
Subject: =?UTF-8?Q?Su_firma_electr=C3=B3nica?=
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=x

--x
Content-Type: text/plain; charset=utf-8

Hola María
--x
Content-Type: text/html; charset=utf-8

<p>Hola <b>María</b><script>alert(1)</script></p>
--x--`;

test('a mail is listed once per recipient, decoded, newest first', async () => {
  expect(await sendMail(['maria@example.com', 'Copia@Example.com'], mail)).toMatch(/^250/);
  const [newest] = await messages();
  expect(newest).toMatchObject({ channel: 'email', to: 'Copia@Example.com' });
  expect(await messages('copia@example.com')).toEqual([newest]);
  expect(await messages('maria@example.com')).toEqual([
    expect.objectContaining({
      subject: 'Su firma electrónica',
      text: 'Hola María',
      html: expect.stringContaining('<b>María</b>'),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    }),
  ]);
  expect(await messages('nobody@example.com')).toEqual([]);
});

test('an SMS of the sandbox is listed beside the mail', async () => {
  const send = (body: string) => fetch(`${base}/sms`, { method: 'POST', body });
  expect((await send(JSON.stringify({ to: '+593991234567', text: 'Código 123456' }))).status).toBe(202);
  expect(await messages('+593991234567')).toEqual([
    expect.objectContaining({ channel: 'sms', subject: null, text: 'Código 123456', html: null }),
  ]);
  expect((await send('{"to":7}')).status).toBe(400);
  expect((await send('{')).status).toBe(400);
});

test('an SMS that comes again under its id is listed once', async () => {
  const send = (id: string) =>
    fetch(`${base}/sms`, { method: 'POST', body: JSON.stringify({ id, to: '+593991234567', text: 'Hola' }) });
  for (const id of ['a-1', 'a-1', 'a-2']) expect((await send(id)).status).toBe(202);
  expect((await messages('+593991234567')).map(({ id }) => id)).toEqual(['a-2', 'a-1']);
  expect((await send('<script>')).status).toBe(400);
});

test('the page shows mail to a person and lets the mail run nothing', async () => {
  await sendMail(['maria@example.com'], mail);
  const response = await fetch(`${base}/`);
  const page = await response.text();
  expect(page).toContain('Su firma electrónica');
  expect(page).not.toContain('<script>alert');
  expect(page).toContain('sandbox=""');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect((await fetch(`${base}/nowhere`)).status).toBe(404);
});

test('what was caught is there after a restart, and a line cut short by a crash is dropped', async () => {
  await sendMail(['maria@example.com'], mail);
  const file = join(folder, 'messages.jsonl');
  const { appendFileSync } = await import('node:fs');
  appendFileSync(file, '{"id":"half');
  const again = openMessageStore(file);
  expect((await again.list()).map(({ to }) => to)).toEqual(['maria@example.com']);
  expect(await openMessageStore(file).list()).toEqual(await again.list());
});

test('what the release before has written to the file is shown as it was', async () => {
  const file = join(folder, 'former.jsonl');
  const former = {
    ...{ id: 'a', channel: 'email', to: 'maria@example.com', subject: 'Hola', text: 'Hola María' },
    ...{ html: '<p>Hola</p>', date: '2026-11-01T10:00:00.000Z' },
  };
  await writeFile(file, `${JSON.stringify(former)}\n`);
  expect(await openMessageStore(file).list()).toEqual([former]);
});

test('a mail that cannot be read is shown as it came, beside the others', async () => {
  const levels = Array.from({ length: 300 }, (_, level) => level);
  const nested = levels
    .map((level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`)
    .join('');
  await sendMail(['maria@example.com'], mail);
  expect(await sendMail(['maria@example.com'], `${nested}x`)).toMatch(/^250/);
  expect((await messages('maria@example.com')).map(({ subject }) => subject)).toEqual([
    null,
    'Su firma electrónica',
  ]);
});
