import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { connect as connectTls } from 'node:tls';
import type { Logger } from '@rubrica/process/log';
import { hasAllowedText } from '../checker/allowed-texts.ts';
import { maxAnswerBytes, type ReadAnswer, readReady, readVerdict } from '../checker/answer.ts';
import { createCheckerUnavailable, maxCheckTries } from '../checker/checker-pool.ts';
import { toFrames } from '../checker/frames.ts';
import { startTimeoutMs } from '../checker/start-checker.ts';
import type { FileCheckMetrics } from '../file-check-metrics.ts';
import type { Examiner } from '../file-checker.ts';
import { type CheckerAddress, readCheckerTls } from './checker-address.ts';

export interface RemoteCheckerOptions {
  readonly address: CheckerAddress;
  readonly tlsDirectory: string | undefined;
  /** Time of one check of one file. */
  readonly timeoutMs: number;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  readonly metrics: Pick<FileCheckMetrics, 'setAvailable'>;
}

const connectTimeoutMs = 5_000;
/** Files of other copies come first; a request that waits longer comes again. */
const queueTimeoutMs = 60_000;

/** Creates an examiner that sends files to a separate file checker, each over its own connection. */
export function createRemoteChecker(options: RemoteCheckerOptions): Examiner {
  const { logger, metrics, timeoutMs } = options;
  let isUnavailable = false;
  const recordUnavailable = (cause: unknown) => {
    if (!isUnavailable) logger.error({ err: cause }, 'file checker unavailable; requests with files wait');
    isUnavailable = true;
    metrics.setAvailable(false);
  };
  const recordAvailable = () => {
    if (isUnavailable) logger.info({}, 'file checker recovered');
    isUnavailable = false;
    metrics.setAvailable(true);
  };
  const answerTimeoutMs = maxCheckTries * (timeoutMs + startTimeoutMs);
  return {
    // Isolated by the deployment; nothing could be asked from here.
    isIsolated: true,
    async examine(read) {
      await using connection = await openConnection(options).catch((error: unknown) => {
        recordUnavailable(error);
        throw createCheckerUnavailable(error);
      });
      const receive = <Answer>(read: ReadAnswer<Answer>, withinMs: number) =>
        connection.receive(read, withinMs).catch((error: unknown) => {
          recordUnavailable(error);
          throw createCheckerUnavailable(error);
        });
      await receive(readReady, queueTimeoutMs);
      recordAvailable();
      connection.send(toFrames(await read()));
      return await receive(readAllowedVerdict, answerTimeoutMs);
    },
    stop: async () => undefined,
  };
}

/** Reads a verdict with an allowed text. */
function readAllowedVerdict(line: Parameters<typeof readVerdict>[0]): ReturnType<typeof readVerdict> {
  const verdict = readVerdict(line);
  return verdict !== undefined && hasAllowedText(verdict) ? verdict : undefined;
}

/** Checks that a file checker answers and has room. @throws Error with the fault */
export async function probeRemoteChecker(
  options: Pick<RemoteCheckerOptions, 'address' | 'tlsDirectory'>,
): Promise<void> {
  await using connection = await openConnection(options);
  await connection.receive(readReady, connectTimeoutMs);
}

interface Connection extends AsyncDisposable {
  send(parts: readonly Uint8Array[]): void;
  /** Reads the next answer. @throws Error if the connection ends or the time is over before it */
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
