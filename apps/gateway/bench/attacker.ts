import { connect, type Socket } from 'node:net';
import { argv } from 'node:process';
import { answerQuestions } from './parts.ts';

/** Opens connections that begin a call and do not finish it, anew whenever one is ended. */
export interface Attack {
  readonly sockets: number;
  readonly path: string;
  readonly headers: readonly string[];
  readonly sent: string;
}

const { port } = new URL((JSON.parse(argv[2] as string) as { url: string }).url);
/** Another address than that of the probe: on Linux all of 127.0.0.0/8 is this machine. */
const localAddress = '127.0.0.2';
const reopenMs = 100;
let running: Attack | undefined;
const open = new Set<Socket>();

function begin(attack: Attack): void {
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress }, () => {
    const head = [`POST ${attack.path} HTTP/1.1`, 'host: gateway.test', ...attack.headers];
    socket.write(`${head.join('\r\n')}\r\n\r\n${attack.sent}`);
  });
  open.add(socket);
  socket.resume();
  socket.on('error', () => undefined);
  socket.once('close', () => {
    open.delete(socket);
    if (running === attack) setTimeout(() => running === attack && begin(attack), reopenMs);
  });
}

/** Begins an attack; null ends the one that runs. */
answerQuestions(async (attack: Attack | null) => {
  running = attack ?? undefined;
  for (const socket of open) socket.destroy();
  if (attack === null) return null;
  for (let index = 0; index < attack.sockets; index += 1) begin(attack);
  return null;
});
