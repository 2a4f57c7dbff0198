import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { acquireDatabases } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';

const program = (url: string) => `
import { createDatabase } from '${new URL('../src/connection/create-database.ts', import.meta.url).href}';
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const database = createDatabase({ url: ${JSON.stringify(url)}, schema: 'probe', entities: [], logger: silent });
await database.execute('select 1');
await database.close();
setTimeout(() => { process.stdout.write('held'); process.exit(); }, 5_000).unref();
`;

describe('a closed database', () => {
  it('keeps no connection that would hold the process, even when only native statements were run', async () => {
    await using databases = await acquireDatabases();
    const { appUrl } = await databases.service('probe');
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      program(appUrl),
    ]);
    expect(stdout).toBe('');
  });
});
