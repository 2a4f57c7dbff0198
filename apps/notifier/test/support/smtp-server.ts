import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

export type ReceivedMail = {
  to: string;
  source: string;
  /** It came over TLS. */
  secure: boolean;
};

/** Replies to give instead of the usual one, once each, by stage (`CONTENT` is the end of the mail); null hangs up. */
export type SmtpFault = {
  on: 'GREETING' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'CONTENT';
  reply: string | null;
};

export type SmtpServerOptions = {
  /** PEM. With it STARTTLS is offered. */
  tls?: { key: string; cert: string };
};

export type SmtpServer = AsyncDisposable & {
  url: string;
  mails: ReceivedMail[];
  /** Command lines, in order. */
  commands: string[];
  faults: SmtpFault[];
  /** Breaks all connections off and takes no more, until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Leaves this command unanswered from now on; undefined: answers again, but what is held stays held. */
  hold(command: string | undefined): void;
  held(): number;
  /** Hangs up on what is held. */
  letGo(): void;
};

type Log = Pick<SmtpServer, 'mails' | 'commands' | 'faults'> & {
  holding: string | undefined;
  held: Set<Socket>;
};

/** As much of RFC 5321 and RFC 3207 as a client needs, with faults to order. */
export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const log: Log = { mails: [], commands: [], faults: [], holding: undefined, held: new Set() };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        sockets.delete(socket);
        log.held.delete(socket);
      });
    converse(socket, { log, options, greet: true });
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  const goAway = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    mails: log.mails,
    commands: log.commands,
    faults: log.faults,
    hold(command) {
      log.holding = command;
    },
    held: () => log.held.size,
    letGo() {
      for (const socket of log.held) socket.destroy();
    },
    url: `smtp://127.0.0.1:${port}`,
    goAway,
    comeBack: () => listen(port),
    [Symbol.asyncDispose]: goAway,
  };
}

const replies: Record<string, string> = {
  GREETING: '220 test ESMTP',
  EHLO: '250 test',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  RSET: '250 ok',
  QUIT: '221 bye',
  CONTENT: '250 taken',
};

const upgradeReplies: Record<string, string> = { EHLO: '250-test\r\n250 STARTTLS', STARTTLS: '220 go ahead' };

type Conversation = { log: Log; options: SmtpServerOptions; greet: boolean };

function converse(socket: Socket, { log, options, greet }: Conversation): void {
  const { mails, commands, faults } = log;
  const secure = socket instanceof TLSSocket;
  const canUpgrade = options.tls !== undefined && !secure;
  let buffered = '';
  let inContent = false;
  let to = '';
  const answer = (command: string, line: string) => {
    if (command === log.holding) return log.held.add(socket);
    const fault = faults.findIndex(({ on }) => on === command);
    const ordered = fault === -1 ? undefined : faults.splice(fault, 1)[0]?.reply;
    // Taken, even where the client will not learn it. The dots are the client's stuffing (RFC 5321 §4.5.2).
    const isTaken = command === 'CONTENT' && (ordered === undefined || ordered === null);
    if (isTaken) mails.push({ to, source: line.replaceAll(/^\./gm, ''), secure });
    if (ordered === null) return socket.destroy();
    if (command === 'DATA' && ordered === undefined) inContent = true;
    if (command === 'RCPT') to = /<(.*)>/.exec(line)?.[1] ?? '';
    const usual = (canUpgrade ? upgradeReplies[command] : undefined) ?? replies[command];
    socket.write(`${ordered ?? usual ?? '502 what?'}\r\n`);
    if (command === 'STARTTLS' && canUpgrade) return upgrade(socket, { log, options, greet: false });
    return command === 'QUIT' && socket.end();
  };
  if (greet) answer('GREETING', '');
  socket.on('data', (chunk) => {
    buffered += chunk.toString('latin1');
    for (;;) {
      const end = buffered.indexOf(inContent ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + (inContent ? 5 : 2));
      const command = inContent ? 'CONTENT' : (/^[A-Za-z]+/.exec(line)?.[0] ?? '').toUpperCase();
      if (!inContent) commands.push(line);
      inContent = false;
      answer(command, line);
    }
  });
}

function upgrade(socket: Socket, conversation: Conversation): void {
  socket.removeAllListeners('data');
  const secured = new TLSSocket(socket, {
    isServer: true,
    secureContext: createSecureContext(conversation.options.tls),
  });
  secured.on('error', () => undefined);
  converse(secured, conversation);
}
