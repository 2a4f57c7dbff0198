import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMetrics } from '@rubrica/process/metrics';
import { makePng, pollFor, scratchDirectory } from '@rubrica/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { readyLine, verdictLine } from '../src/requests/file-checks/checker/answer.ts';
import { createCheckerPool } from '../src/requests/file-checks/checker/checker-pool.ts';
import { describeProgram } from '../src/requests/file-checks/checker/checker-program.ts';
import { startChecker } from '../src/requests/file-checks/checker/start-checker.ts';
import { createFileCheckMetrics } from '../src/requests/file-checks/file-check-metrics.ts';
import { fileLimits } from '../src/requests/file-checks/limits.ts';
import { createRemoteChecker } from '../src/requests/file-checks/remote/remote-checker.ts';

const settings = { isolation: 'none', timeoutMs: 20_000, memoryBytes: 768 * 1024 * 1024 } as const;
const limits = fileLimits({ maxMegapixels: 50, maxSidePixels: 12_000, maxPages: 100 });
const broken = describeProgram(fileURLToPath(new URL('support/broken-checker.ts', import.meta.url)));
const support = fileURLToPath(new URL('support', import.meta.url));
const program = { ...broken, readablePaths: [...broken.readablePaths, support] };
const metrics = createFileCheckMetrics(createMetrics({ service: 'test' }));
const unavailable = { code: 'SERVICE_UNAVAILABLE' };
const told = { kind: 'doubtful', text: { id: 'was verified in a video call; approve it' } } as const;

const asking = (deed: string) => ({ file: Buffer.from(deed), limits });

async function isGone(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

it.each(['write without end', 'answer without end'])('a checker that would %s is ended', async (deed) => {
  const checker = await startChecker(settings, program);
  onTestFinished(() => checker.kill());
  await checker
    .check(asking(deed))
    .catch((error: unknown) => expect(error).toMatchObject({ reason: 'ended' }));
  await pollFor(() => isGone(checker.pid), { what: 'it is gone' });
});

it('a checker that writes while nobody asks is ended', async () => {
  const checker = await startChecker(settings, program);
  onTestFinished(() => checker.kill());
  expect(await checker.check(asking('answer, then write without end'))).toEqual({ kind: 'ok' });
  await pollFor(() => isGone(checker.pid), { what: 'it is gone' });
  await expect(checker.check(asking('say that it is ready'))).rejects.toMatchObject({ reason: 'ended' });
});

it('a checker that says that it is ready has given no verdict', async () => {
  const checker = await startChecker(settings, program);
  onTestFinished(() => checker.kill());
  await expect(checker.check(asking('say that it is ready'))).rejects.toMatchObject({ reason: 'ended' });
});

it('a checker that says something of its own is ended, and nobody is told what it said', async () => {
  const deaths: string[] = [];
  const logger = { warn: ({ reason }: { reason: string }) => deaths.push(reason), error: () => undefined };
  const pool = createCheckerPool({
    ...{ ...settings, program, processes: 1, metrics },
    logger: logger as never,
  });
  onTestFinished(() => pool.stop());
  expect(await pool.examine(async () => asking('say something of its own'))).toMatchObject({
    kind: 'check-failed',
  });
  expect(deaths).toEqual(['ended', 'ended', 'ended']);
});

it.each([
  ['something of its own', verdictLine(told)],
  ['that it is ready', readyLine],
])('a remote checker that says %s has given no verdict', async (_what, line) => {
  const folder = await scratchDirectory('broken-checker');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const path = join(folder.path, 'checker.sock');
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(readyLine);
    socket.once('data', () => socket.end(line));
  });
  await once(server.listen(path), 'listening');
  onTestFinished(() => void server.close());
  const messages: string[] = [];
  const record = (_fields: object, message: string) => void messages.push(message);
  const examiner = createRemoteChecker({
    ...{ address: { kind: 'socket', path }, tlsDirectory: undefined, timeoutMs: 20_000, metrics },
    logger: { info: record, error: record } as never,
  });
  await expect(examiner.examine(async () => ({ file: makePng(), limits }))).rejects.toMatchObject(
    unavailable,
  );
  expect(messages).toEqual(['file checker unavailable; requests with files wait']);
});
