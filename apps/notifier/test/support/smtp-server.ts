import { type AddressInfo, createServer, type Socket } from 'node:net';

export type ReceivedMail = { to: string; source: string };

export type SmtpServer = AsyncDisposable & {
  url: string;
  mails: ReceivedMail[];
  /** Command lines, in order. */
  commands: string[];
  /** Replies to give instead of the usual one, once each, by command (`RCPT`, `DATA`, `CONTENT`); null hangs up. */
  faults: { on: 'MAIL' | 'RCPT' | 'DATA' | 'CONTENT'; reply: string | null }[];
};

/** As much of RFC 5321 as a client needs, with faults to order. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const mails: ReceivedMail[] = [];
  const commands: string[] = [];
  const faults: SmtpServer['faults'] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    converse(socket, { mails, commands, faults });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    commands,
    faults,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

const replies: Record<string, string> = {
  EHLO: '250 test',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  RSET: '250 ok',
  QUIT: '221 bye',
  CONTENT: '250 taken',
};

function converse(
  socket: Socket,
  { mails, commands, faults }: Pick<SmtpServer, 'mails' | 'commands' | 'faults'>,
): void {
  let buffered = '';
  let inContent = false;
  let to = '';
  const answer = (command: string, line: string) => {
    const fault = faults.findIndex(({ on }) => on === command);
    const ordered = fault === -1 ? undefined : faults.splice(fault, 1)[0]?.reply;
    if (command === 'CONTENT' && (ordered === undefined || ordered === null))
      mails.push({ to, source: line });
    if (ordered === null) return socket.destroy();
    if (command === 'DATA' && ordered === undefined) inContent = true;
    if (command === 'RCPT') to = /<(.*)>/.exec(line)?.[1] ?? '';
    socket.write(`${ordered ?? replies[command] ?? '500 what?'}\r\n`);
    return command === 'QUIT' && socket.end();
  };
  socket.write('220 test ESMTP\r\n');
  socket.on('data', (chunk) => {
    buffered += chunk.toString('utf8');
    for (;;) {
      const end = buffered.indexOf(inContent ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + (inContent ? 5 : 2));
      const command = inContent ? 'CONTENT' : line.slice(0, 4).toUpperCase();
      if (!inContent) commands.push(line);
      inContent = false;
      answer(command, line);
    }
  });
}
