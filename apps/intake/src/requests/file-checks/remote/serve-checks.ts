import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Logger } from '@rubrica/process/log';
import { readyLine, verdictLine } from '../checker/answer.ts';
import { readFiles } from '../checker/frames.ts';
import type { Examiner, FileToCheck } from '../file-checker.ts';
import { type CheckerAddress, readCheckerTls } from './checker-address.ts';

/** Time without a byte. A caller that sends no file would keep the others from being checked. */
const silenceMs = 10_000;

export interface CheckServerDeps {
  readonly examiner: Examiner;
  readonly address: CheckerAddress;
  readonly tlsDirectory: string | undefined;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Answers each connection with one verdict. It sends `ready` once a process is free, reads limits and file,
 * and writes the verdict. A connection that is closed without a verdict says nothing about its file.
 */
export async function serveChecks(deps: CheckServerDeps): Promise<{ readonly stop: () => Promise<void> }> {
  const { address, logger } = deps;
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    answer(socket, deps.examiner).catch((error: unknown) => {
      logger.warn({ err: error }, 'file not checked; its request will be retried');
      socket.destroy();
    });
  };
  const server = await createListener(deps, onConnection);
  await listen(server, address);
  return {
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function answer(socket: Socket, examiner: Examiner): Promise<void> {
  const verdict = await examiner.examine(() => readFileFrom(socket));
  socket.end(verdictLine(verdict));
}

/** Reads the file of a caller. @throws Error if the caller is silent or has closed the connection */
async function readFileFrom(socket: Socket): Promise<FileToCheck> {
  if (socket.destroyed) throw new Error('the caller has gone');
  socket.setTimeout(silenceMs, () => socket.destroy());
  socket.write(readyLine);
  const files = readFiles(socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>);
  const { value } = await files.next();
  socket.setTimeout(0);
  if (value === undefined) throw new Error('the caller has gone');
  return value;
}

async function createListener(
  { address, tlsDirectory }: CheckServerDeps,
  onConnection: (socket: Socket) => void,
): Promise<Server> {
  if (address.kind === 'socket') return createServer(onConnection);
  const tls = await readCheckerTls(tlsDirectory ?? '');
  return createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, onConnection);
}

async function listen(server: Server, address: CheckerAddress): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  if (address.kind === 'port') {
    server.listen(address.port, address.host, resolve);
    return promise;
  }
  // Left by a process that was killed.
  await rm(address.path, { force: true });
  server.listen(address.path, resolve);
  await promise;
  // Anyone in the group of its folder can connect; intake runs as a user of its own.
  await chmod(address.path, 0o660);
}
