import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { projectRoot } from '../src/setup/home.ts';

const run = promisify(execFile);

/** As it is typed, on a machine whose own Node.js comes first and may be too old to read TypeScript. */
function npmRun(...args: string[]) {
  const PATH = ['/usr/bin', process.env.PATH].join(delimiter);
  return run('npm', ['run', '--silent', ...args], { cwd: projectRoot, env: { ...process.env, PATH } });
}

it('makes the secrets of a deployment and lists their keys by npm scripts, whatever Node.js the machine has', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deploy-'));
  try {
    const untouched = (path: string) => !/\/(secrets|\.env)$/.test(path);
    await cp(join(projectRoot, 'deploy'), folder, { recursive: true, filter: untouched });
    await npmRun('secrets', '--', folder);
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['secrets', '.env']));
    const { stdout } = await npmRun('keys', '--', '--in', join(folder, 'secrets'), 'list');
    expect(stdout).toMatch(/intake-enc-[0-9a-f]{12}/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
