import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFileChecker, type Examiner } from './file-checker.ts';
import { createPixelBudget } from './image/pixel-budget.ts';
import { fileLimits } from './limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Checks large files of partners, and ends each when it is told to. */
function startChecks() {
  const examined: string[] = [];
  const ends = new Map<string, () => void>();
  const examiner: Examiner = {
    async examine(read) {
      const { file } = await read();
      const name = Buffer.from(file).toString();
      examined.push(name);
      const end = Promise.withResolvers<void>();
      ends.set(name, end.resolve);
      await end.promise;
      return { kind: 'ok' };
    },
    stop: async () => undefined,
    isIsolated: true,
  };
  const limits = fileLimits({ maxMegapixels: 50, maxSidePixels: 12_000, maxPages: 100 });
  const metrics = { checked: () => undefined };
  const checker = createFileChecker({ examiner, limits, maxPixelsPerRequest: 1e6, atOnce: 2, metrics });
  return {
    examined,
    check: (name: string) => {
      const budget = createPixelBudget(1e6);
      return checker.check(async () => Buffer.from(name), {
        sizeBytes: 1e6,
        owner: name.slice(0, 1),
        budget,
      });
    },
    end: (name: string) => ends.get(name)?.(),
  };
}

/** Has the file `a1` of a partner take three seconds. */
async function startWithLongFile() {
  const checks = startChecks();
  const long = checks.check('a1');
  await vi.waitFor(() => expect(checks.examined).toEqual(['a1']));
  vi.advanceTimersByTime(3_000);
  checks.end('a1');
  await long;
  return checks;
}

it('gives a partner whose file has taken long one place, so that others do not wait behind it', async () => {
  const { examined, check, end } = await startWithLongFile();
  const ofHeavy = [check('a2'), check('a3'), check('a4')];
  await vi.waitFor(() => expect(examined).toEqual(['a1', 'a2']));
  const ofOther = [check('b1'), check('b2')];
  await vi.waitFor(() => expect(examined).toEqual(['a1', 'a2', 'b1']));
  end('b1');
  await vi.waitFor(() => expect(examined).toEqual(['a1', 'a2', 'b1', 'b2']));
  for (const name of ['a2', 'b2', 'a3', 'a4']) {
    await vi.waitFor(() => expect(examined).toContain(name));
    end(name);
  }
  await Promise.all([...ofHeavy, ...ofOther]);
});

it('gives all places to a partner whose files take less, and to one that was slow ten minutes ago', async () => {
  const { examined, check, end } = await startWithLongFile();
  vi.advanceTimersByTime(10 * 60_000 + 1);
  const both = [check('a2'), check('a3')];
  await vi.waitFor(() => expect(examined).toEqual(['a1', 'a2', 'a3']));
  for (const name of ['a2', 'a3']) end(name);
  await Promise.all(both);
});
