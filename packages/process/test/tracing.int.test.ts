import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

async function countModules(...endpoint: string[]): Promise<number> {
  const program = join(import.meta.dirname, 'fixtures', 'count-modules.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...endpoint]);
  return Number(stdout);
}

it('loads OpenTelemetry where a collector is set, and nothing of it elsewhere', async () => {
  expect(await countModules()).toBe(0);
  expect(await countModules('http://127.0.0.1:4318')).toBeGreaterThan(10);
});
