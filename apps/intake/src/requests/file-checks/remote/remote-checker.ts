import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { connect as connectTls } from 'node:tls';
import type { Logger } from '@rubrica/process';
import { maxAnswerBytes, type ReadAnswer, readReady, readVerdict } from '../checker/answer.ts';
import { mostTries, unavailable } from '../checker/checker-pool.ts';
import { toFrames } from '../checker/frames.ts';
import { hasOwnText } from '../checker/own-texts.ts';
import { startTimeoutMs } from '../checker/start-checker.ts';
import type { FileCheckMetrics } from '../file-check-metrics.ts';
import type { Examiner } from '../file-checker.ts';
import { type CheckerAddress, readCheckerTls } from './checker-address.ts';

export interface RemoteCheckerOptions {
  readonly address: CheckerAddress;
  readonly tlsDirectory: string | undefined;
  /** One check of one file. */
  readonly timeoutMs: number;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  readonly metrics: Pick<FileCheckMetrics, 'setAvailable'>;
}

const connectTimeoutMs = 5_000;
/** Files of other copies come first; a request that waits longer comes again. */
const queueTimeoutMs = 60_000;

/** Has files judged by a file checker that runs for itself; a connection for each. */
export function createRemoteChecker(options: RemoteCheckerOptions): Examiner {
  const { logger, metrics, timeoutMs } = options;
  let isAway = false;
  const recordAway = (cause: unknown) => {
    if (!isAway) logger.error({ err: cause }, 'file checker away; requests with files wait');
    isAway = true;
    metrics.setAvailable(false);
  };
  const recordThere = () => {
    if (isAway) logger.info({}, 'file checker recovered');
    isAway = false;
    metrics.setAvailable(true);
  };
  const answerTimeoutMs = mostTries * (timeoutMs + startTimeoutMs);
  return {
    // By the deployment, and not by anything that could be asked from here.
    isIsolated: true,
    async examine(read) {
      await using connection = await openConnection(options).catch((error: unknown) => {
        recordAway(error);
        throw unavailable(error);
      });
      const receive = <Answer>(read: ReadAnswer<Answer>, withinMs: number) =>
        connection.receive(read, withinMs).catch((error: unknown) => {
          recordAway(error);
          throw unavailable(error);
        });
      await receive(readReady, queueTimeoutMs);
      recordThere();
      connection.send(toFrames(await read()));
      return await receive(readOwnVerdict, answerTimeoutMs);
    },
    stop: async () => undefined,
  };
}

/** Reads a verdict that speaks in texts of ours. */
function readOwnVerdict(line: Parameters<typeof readVerdict>[0]): ReturnType<typeof readVerdict> {
  const verdict = readVerdict(line);
  return verdict !== undefined && hasOwnText(verdict) ? verdict : undefined;
}

/** Looks whether a checker is there and has room. @throws Error that says what is wrong */
export async function probeRemoteChecker(
  options: Pick<RemoteCheckerOptions, 'address' | 'tlsDirectory'>,
): Promise<void> {
  await using connection = await openConnection(options);
  await connection.receive(readReady, connectTimeoutMs);
}

interface Connection extends AsyncDisposable {
  send(parts: readonly Uint8Array[]): void;
  /** @throws Error where the connection ends or the time is over before the next answer */
  receive<Answer>(read: ReadAnswer<Answer>, withinMs: number): Promise<Answer>;
}

async function openConnection({
  address,
  tlsDirectory,
}: Pick<RemoteCheckerOptions, 'address' | 'tlsDirectory'>): Promise<Connection> {
  const socket = await openSocket(address, tlsDirectory);
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  let receivedBytes = 0;
  socket.on('data', ({ length }: Buffer) => {
    receivedBytes += length;
    if (receivedBytes > maxAnswerBytes) socket.destroy(new Error('the file checker says too much'));
  });
  return {
    send: (parts) => {
      for (const part of parts) socket.write(part);
    },
    async receive(read, withinMs) {
      const timer = setTimeout(() => socket.destroy(new Error('the file checker does not answer')), withinMs);
      try {
        const { value } = await lines.next();
        const answer = value === undefined ? undefined : read(value);
        if (answer === undefined)
          throw new Error('the file checker gave no verdict', { cause: socket.errored });
        return answer;
      } finally {
        clearTimeout(timer);
      }
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}

async function openSocket(address: CheckerAddress, tlsDirectory: string | undefined): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket =
    address.kind === 'socket'
      ? connect(address.path, resolve)
      : connectTls(
          { host: address.host, port: address.port, ...(await readCheckerTls(tlsDirectory ?? '')) },
          resolve,
        );
  socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('the file checker cannot be reached')));
  socket.on('error', reject);
  await promise;
  socket.setTimeout(0);
  return socket;
}
