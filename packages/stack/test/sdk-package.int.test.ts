import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scratchDirectory } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { packSdk } from '../src/commands/sdk-package.ts';

const run = promisify(execFile);

it('the packed SDK is installed from its file and loads', async () => {
  await using folder = await scratchDirectory('sdk-package');
  const file = join(folder.path, 'rubrica-sdk.tgz');
  expect(await packSdk(file)).toBe(true);
  const options = { cwd: folder.path };
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], options);
  const program = "import { createRubrica } from '@rubrica/sdk'; console.log(typeof createRubrica)";
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], options);
  expect(stdout).toBe('function\n');
});
