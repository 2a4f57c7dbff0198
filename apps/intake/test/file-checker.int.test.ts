import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createMetrics } from '@rubrica/process/metrics';
import { makeJpeg, makePdf, makePng, pollFor } from '@rubrica/testkit';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createCheckerPool } from '../src/requests/file-checks/checker/checker-pool.ts';
import { findIsolation } from '../src/requests/file-checks/checker/isolation.ts';
import {
  CheckerDied,
  type CheckerSettings,
  startChecker,
} from '../src/requests/file-checks/checker/start-checker.ts';
import { createFileCheckMetrics } from '../src/requests/file-checks/file-check-metrics.ts';
import { createFileChecker } from '../src/requests/file-checks/file-checker.ts';
import { createPixelBudget } from '../src/requests/file-checks/image/pixel-budget.ts';
import { fileLimits } from '../src/requests/file-checks/limits.ts';

const MEBIBYTE = 1024 * 1024;
const limits = fileLimits({ maxMegapixels: 50, maxSidePixels: 12_000, maxPages: 100 });
const settings: CheckerSettings = {
  isolation: await findIsolation(),
  // Of no interest where it is not named: on a busy machine the most demanding picture takes half a minute.
  timeoutMs: 120_000,
  memoryBytes: 768 * MEBIBYTE,
};
function startPool(overrides: Partial<CheckerSettings> & { processes?: number } = {}) {
  const deaths: string[] = [];
  const errors: string[] = [];
  const metrics = createFileCheckMetrics(createMetrics({ service: 'test' }));
  const examiner = createCheckerPool({
    ...settings,
    processes: 1,
    ...overrides,
    logger: {
      warn: ({ reason }: { reason: string }) => deaths.push(reason),
      error: (_fields: object, message: string) => errors.push(message),
    } as never,
    metrics,
  });
  const maxPixelsPerRequest = Number.POSITIVE_INFINITY;
  const atOnce = overrides.processes ?? 1;
  const pool = createFileChecker({ examiner, limits, maxPixelsPerRequest, atOnce, metrics });
  const read = (from: () => Promise<Buffer>, sizeBytes: number, owner = 'acme') =>
    pool.check(from, { sizeBytes, owner, budget: createPixelBudget(maxPixelsPerRequest) });
  const check = (file: Buffer, owner?: string) => read(async () => file, file.length, owner);
  return { check, deaths, errors, read, [Symbol.asyncDispose]: () => pool.stop() };
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

const patient = { timeout: 300_000 };

/** Interlaced, so that its 400 MB of pixels have to be held at once. */
const hungry = sharp({ create: { width: 8_000, height: 6_250, channels: 4, background: '#888' } })
  .toColourspace('rgb16')
  .png({ progressive: true })
  .toBuffer();

describe('the file checker', () => {
  it('judges files of every kind, one after the other and at once', async () => {
    await using pool = startPool({ processes: 2 });
    const files = [makeJpeg(40_000), makePng(40_000), makePdf(40_000), makePng(5_000_000), randomBytes(9)];
    const kinds = await Promise.all([...files, ...files].map(async (file) => (await pool.check(file)).kind));
    expect(kinds.slice(0, 5)).toEqual(['ok', 'ok', 'ok', 'ok', 'unreadable']);
    expect(kinds.slice(5)).toEqual(kinds.slice(0, 5));
    expect(pool.deaths).toEqual([]);
  });

  it('decodes the most demanding picture that is taken within its memory', patient, async () => {
    await using pool = startPool();
    expect(await pool.check(await hungry)).toEqual({ kind: 'ok' });
  });

  it.each([
    ['it is seen to hold', 400, 'memory'],
    ['the kernel gives', 160, 'ended'],
  ])(
    'gives up a picture after three tries that takes more memory than %s, and checks the next',
    patient,
    async (_what, mebibytes, reason) => {
      await using pool = startPool({ memoryBytes: mebibytes * MEBIBYTE });
      expect(await pool.check(await hungry)).toMatchObject({ kind: 'check-failed' });
      expect(pool.deaths).toEqual([reason, reason, reason]);
      expect(await pool.check(makePng())).toEqual({ kind: 'ok' });
    },
  );

  it('gives up a file that takes more time than it has, after three tries, and checks the next', async () => {
    await using pool = startPool({ timeoutMs: 150 });
    expect(await pool.check(await hungry)).toMatchObject({ kind: 'check-failed' });
    expect(pool.deaths).toEqual(['timeout', 'timeout', 'timeout']);
    // On a busy machine even a small file may take more than the time that a large one must exceed.
    await pollFor(async () => (await pool.check(makePng())).kind === 'ok');
  });

  it('reads no file before a process is free for it, and frees the process of one that cannot be read', async () => {
    await using pool = startPool();
    let reading = 0;
    const held = Promise.withResolvers<Buffer>();
    const first = pool.read(async () => {
      reading += 1;
      return held.promise;
    }, MEBIBYTE);
    const second = pool.read(async () => {
      reading += 1;
      return makePng();
    }, MEBIBYTE);
    await pollFor(async () => reading === 1 || undefined);
    held.reject(new Error('the store is away'));
    await expect(first).rejects.toThrow('the store is away');
    expect(await second).toEqual({ kind: 'ok' });
    expect(reading).toBe(2);
  });

  it('serves another partner next, however many files of one wait', async () => {
    await using pool = startPool();
    const order: string[] = [];
    const record = (owner: string) => async () => void order.push(owner);
    const files = Array.from({ length: 300 }, () =>
      pool.check(makePng(70_000), 'noisy').then(record('noisy')),
    );
    await pool.check(makePng(70_000), 'other').then(record('other'));
    await Promise.all(files);
    expect(order.indexOf('other')).toBeLessThanOrEqual(2);
    expect(order).toHaveLength(301);
  });

  it('says that it is not there, rather than anything of a file, where no process can be started, and logs it', async () => {
    await using pool = startPool({ memoryBytes: 16 * MEBIBYTE });
    await expect(pool.check(makePng())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(pool.errors).toEqual(['file checker not started; requests with files wait']);
  });

  it('needs no process for a small file that a glance is enough for', async () => {
    await using pool = startPool({ memoryBytes: 16 * MEBIBYTE });
    expect(await pool.check(makePdf(40_000))).toEqual({ kind: 'ok' });
    expect(await pool.check(randomBytes(9))).toMatchObject({ kind: 'unreadable' });
    await expect(pool.check(makePdf(70_000))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('leaves no process behind, and says nothing of the file that it was stopped over', async () => {
    const pool = startPool();
    await pool.check(makePng());
    const checking = pool.check(await hungry);
    const refused = expect(checking).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await pool[Symbol.asyncDispose]();
    await refused;
    await expect(pool.check(makePng())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(pool.deaths).toEqual([]);
  });
});

describe('a checker process', () => {
  it('gets no setting of the service, and dumps no core', async () => {
    const checker = await startChecker(settings);
    const { readFile } = await import('node:fs/promises');
    expect(await readFile(`/proc/${checker.pid}/environ`, 'utf8')).not.toContain('PATH=/');
    expect(await readFile(`/proc/${checker.pid}/limits`, 'utf8')).toMatch(/Max core file size +0 +0/);
    await checker.kill();
    expect(isAlive(checker.pid)).toBe(false);
  });

  it('ends with its parent, however that ended', async () => {
    const start = new URL('../src/requests/file-checks/checker/start-checker.ts', import.meta.url);
    const code = `import { startChecker } from '${start}';
      console.log((await startChecker(${JSON.stringify(settings)})).pid); setInterval(() => {}, 1_000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code]);
    const [said] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(said.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await pollFor(async () => !isAlive(pid));
  });

  it('that was killed while idle fails its next file and nothing else', async () => {
    const checker = await startChecker(settings);
    process.kill(checker.pid, 'SIGKILL');
    await expect(checker.check({ file: makePng(), limits })).rejects.toBeInstanceOf(CheckerDied);
  });
});
