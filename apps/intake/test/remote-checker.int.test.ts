import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMetrics } from '@rubrica/process/metrics';
import { makeJpeg, makePdf, makePng, pollFor, scratchDirectory } from '@rubrica/testkit';
import { createTransportAuthority, type TransportAuthority } from '@rubrica/testkit/certificates';
import { freePort } from '@rubrica/testkit/processes';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFileCheckMetrics } from '../src/requests/file-checks/file-check-metrics.ts';
import { createFileChecker } from '../src/requests/file-checks/file-checker.ts';
import { createPixelBudget } from '../src/requests/file-checks/image/pixel-budget.ts';
import { fileLimits } from '../src/requests/file-checks/limits.ts';
import { parseCheckerAddress } from '../src/requests/file-checks/remote/checker-address.ts';
import { createRemoteChecker } from '../src/requests/file-checks/remote/remote-checker.ts';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));

async function folderForTest(): Promise<string> {
  const scratch = await scratchDirectory('remote-checker');
  onTestFinished(() => scratch[Symbol.asyncDispose]());
  return scratch.path;
}

/** The file checker as a process of its own. Resolves when it is ready. */
async function startProgram(env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, 'file-checker'], {
    env: { MANAGEMENT_PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => endProgram(child));
  let log = '';
  child.stdout?.on('data', (text: Buffer) => {
    log += text.toString();
  });
  await pollFor(async () => log.includes('"ready"') || undefined);
  return child;
}

async function endProgram(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

function connectTo(address: string, tlsDirectory?: string) {
  const messages: string[] = [];
  const record = (_fields: object, message: string) => void messages.push(message);
  const registry = createMetrics({ service: 'test' });
  const metrics = createFileCheckMetrics(registry);
  const parsed = parseCheckerAddress(address);
  if (parsed === undefined) throw new Error(`${address} is no address`);
  const logger = { info: record, error: record } as never;
  const examiner = createRemoteChecker({
    address: parsed,
    tlsDirectory,
    timeoutMs: 120_000,
    logger,
    metrics,
  });
  const limits = fileLimits({ maxMegapixels: 50, maxSidePixels: 12_000, maxPages: 100 });
  const maxPixelsPerRequest = Number.POSITIVE_INFINITY;
  const checker = createFileChecker({ examiner, limits, maxPixelsPerRequest, atOnce: 16, metrics });
  const read = (from: () => Promise<Buffer>, sizeBytes: number) =>
    checker.check(from, { sizeBytes, owner: 'acme', budget: createPixelBudget(maxPixelsPerRequest) });
  return {
    check: (file: Buffer) => read(async () => file, file.length),
    read,
    messages,
    async isAvailable() {
      return /^rubrica_file_checker_available\b.* 1$/m.test(await registry.text());
    },
  };
}

/** Takes seconds to decode. */
const slow = sharp({ create: { width: 8_000, height: 6_250, channels: 4, background: '#888' } })
  .toColourspace('rgb16')
  .png({ progressive: true })
  .toBuffer();
const unavailable = { code: 'SERVICE_UNAVAILABLE' };

describe('a file checker of its own', () => {
  it('judges files of every kind, one after the other and at once', async () => {
    const socket = join(await folderForTest(), 'checker.sock');
    await startProgram({ FILE_CHECKER_ADDRESS: socket });
    expect((await stat(socket)).mode & 0o777).toBe(0o660);
    const intake = connectTo(socket);
    const files = [makeJpeg(40_000), makePng(40_000), makePdf(70_000), makePng(5_000_000), randomBytes(9)];
    const kinds = await Promise.all(
      [...files, ...files].map(async (file) => (await intake.check(file)).kind),
    );
    expect(kinds).toEqual([...Array(2)].flatMap(() => ['ok', 'ok', 'ok', 'ok', 'unreadable']));
  });

  it('has the limits of whoever asks', async () => {
    const socket = join(await folderForTest(), 'checker.sock');
    await startProgram({ FILE_CHECKER_ADDRESS: socket });
    const metrics = createFileCheckMetrics(createMetrics({ service: 'test' }));
    const examiner = createRemoteChecker({
      address: { kind: 'socket', path: socket },
      tlsDirectory: undefined,
      timeoutMs: 120_000,
      logger: { info() {}, error() {} } as never,
      metrics,
    });
    const limits = fileLimits({ maxMegapixels: 1, maxSidePixels: 100, maxPages: 1 });
    const file = await sharp({ create: { width: 101, height: 1, channels: 3, background: '#888' } })
      .png()
      .toBuffer();
    expect(await examiner.examine(async () => ({ file, limits }))).toMatchObject({ kind: 'too-many-pixels' });
  });

  it('reads no file before a process is free for it', async () => {
    const socket = join(await folderForTest(), 'checker.sock');
    await startProgram({ FILE_CHECKER_ADDRESS: socket, FILE_CHECKERS: '1' });
    const intake = connectTo(socket);
    const held = Promise.withResolvers<Buffer>();
    let reading = 0;
    const readHeld = async () => {
      reading += 1;
      return held.promise;
    };
    const both = [intake.read(readHeld, 1_000_000), intake.read(readHeld, 1_000_000)];
    await pollFor(async () => reading === 1 || undefined);
    held.resolve(makePng(100_000));
    expect(await Promise.all(both)).toEqual([{ kind: 'ok' }, { kind: 'ok' }]);
    expect(reading).toBe(2);
  });

  it('gives up a file that takes more memory than it has, and checks the next', async () => {
    const socket = join(await folderForTest(), 'checker.sock');
    await startProgram({ FILE_CHECKER_ADDRESS: socket, FILE_CHECK_MEMORY_MB: '400' });
    const intake = connectTo(socket);
    expect(await intake.check(await slow)).toMatchObject({ kind: 'check-failed' });
    expect(await intake.check(makePng(100_000))).toEqual({ kind: 'ok' });
  });
});

describe('a file checker that is away', () => {
  it('passes no file, says so once, and is used again when it is there', async () => {
    const socket = join(await folderForTest(), 'checker.sock');
    const intake = connectTo(socket);
    for (const file of [makePng(100_000), makePdf(70_000)])
      await expect(intake.check(file)).rejects.toMatchObject(unavailable);
    expect(intake.messages).toEqual(['file checker unavailable; requests with files wait']);
    expect(await intake.isAvailable()).toBe(false);
    await startProgram({ FILE_CHECKER_ADDRESS: socket });
    expect(await intake.check(makePng(100_000))).toEqual({ kind: 'ok' });
    expect(intake.messages.slice(1)).toEqual(['file checker recovered']);
    expect(await intake.isAvailable()).toBe(true);
  });

  it('says nothing of the file that it is killed over, and leaves a socket that the next one takes', async () => {
    const socket = join(await folderForTest(), 'checker.sock');
    const first = await startProgram({ FILE_CHECKER_ADDRESS: socket });
    const intake = connectTo(socket);
    const checking = Promise.withResolvers<void>();
    const file = await slow;
    const refused = expect(
      intake.read(async () => {
        checking.resolve();
        return file;
      }, file.length),
    ).rejects.toMatchObject(unavailable);
    await checking.promise;
    await endProgram(first, 'SIGKILL');
    await refused;
    await startProgram({ FILE_CHECKER_ADDRESS: socket });
    expect(await intake.check(makePng(100_000))).toEqual({ kind: 'ok' });
  });

  it.each([
    ['nothing', ''],
    ['what is no verdict', '"ready"\n{"kind":"fine"}\n'],
    ['more than any verdict', `"ready"\n"${'x'.repeat(1 << 20)}"\n`],
  ])('passes no file either where something else says %s', async (_, text) => {
    const socket = join(await folderForTest(), 'checker.sock');
    const server = createServer((peer) => {
      peer.on('error', () => undefined);
      peer.end(text);
    });
    await once(server.listen(socket), 'listening');
    onTestFinished(() => void server.close());
    await expect(connectTo(socket).check(makePng(100_000))).rejects.toMatchObject(unavailable);
  });
});

/** Files of one end, as a deployment has them. */
async function writeTls(authority: TransportAuthority, side: 'serverAuth' | 'clientAuth'): Promise<string> {
  const folder = await folderForTest();
  const issued = await authority.issue(side, { dnsNames: ['localhost'] });
  await writeFile(join(folder, 'file-checker-ca.pem'), authority.certificate);
  await writeFile(join(folder, 'file-checker.pem'), issued.certificate);
  await writeFile(join(folder, 'file-checker.key'), issued.key);
  return folder;
}

describe('a file checker at a port', () => {
  it('checks files of whoever has a certificate of its authority, and of nobody else', async () => {
    const [own, other] = [await createTransportAuthority('own'), await createTransportAuthority('other')];
    const port = await freePort();
    await startProgram({
      FILE_CHECKER_ADDRESS: `127.0.0.1:${port}`,
      FILE_CHECKER_TLS_DIRECTORY: await writeTls(own, 'serverAuth'),
    });
    const address = `localhost:${port}`;
    const intake = connectTo(address, await writeTls(own, 'clientAuth'));
    expect(await intake.check(makePng(100_000))).toEqual({ kind: 'ok' });
    const stranger = await writeTls(other, 'clientAuth');
    await writeFile(join(stranger, 'file-checker-ca.pem'), own.certificate);
    await expect(connectTo(address, stranger).check(makePng(100_000))).rejects.toMatchObject(unavailable);
  });

  it('is not believed with a certificate of another authority', async () => {
    const [own, other] = [await createTransportAuthority('own'), await createTransportAuthority('other')];
    const port = await freePort();
    const impostor = await writeTls(other, 'serverAuth');
    await writeFile(join(impostor, 'file-checker-ca.pem'), own.certificate);
    await startProgram({ FILE_CHECKER_ADDRESS: `127.0.0.1:${port}`, FILE_CHECKER_TLS_DIRECTORY: impostor });
    const intake = connectTo(`localhost:${port}`, await writeTls(own, 'clientAuth'));
    let reads = 0;
    const read = async () => {
      reads += 1;
      return makePng(100_000);
    };
    await expect(intake.read(read, 100_000)).rejects.toMatchObject(unavailable);
    expect(reads).toBe(0);
  });
});
