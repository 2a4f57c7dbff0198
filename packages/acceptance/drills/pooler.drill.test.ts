import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPooler } from '@rubrica/testkit';
import { afterAll, expect, it } from 'vitest';
import { say, sayTable } from './support/say.ts';

const root = join(import.meta.dirname, '../../..');
const seen: (readonly (string | number)[])[] = [['service', 'passed', 'failed', 'skipped']];

afterAll(() => sayTable(seen));

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

/**
 * The service's own suite, with PgBouncer in transaction mode between it and PostgreSQL. Generation's is not here: its tests and
 * its ceremony reach the database past the service by DATABASE_URL alone, which has to be the direct address for them.
 */
it.each(['terms', 'notifier', 'intake'])('%s passes its suite through a pooler', async (service) => {
  expect(findPooler(), 'needs PgBouncer: apt-get install pgbouncer').toBeDefined();
  say(`${service}: its suite, through PgBouncer`);
  const cwd = join(root, 'apps', service);
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'int'],
    {
      cwd,
      env: { ...process.env, RUBRICA_TEST_POOLER: '1', npm_lifecycle_event: 'pooler' },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const [code] = await once(child, 'exit');
  const report: Report = JSON.parse(await readFile(join(cwd, '.vitest/pooler.json'), 'utf8'));
  seen.push([service, report.numPassedTests, report.numFailedTests, report.numPendingTests]);
  expect(code).toBe(0);
});
