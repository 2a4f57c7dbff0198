import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { scriptedService } from './scripted-service.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const tsc = join(root, '..', '..', 'node_modules', '.bin', 'tsc');

/** A program of a user who installed the package, in the JavaScript that any Node.js runs. */
const program = `
import { createRubrica, RubricaError, verifyWebhook } from '@rubrica/sdk';

const rubrica = createRubrica({ baseUrl: process.argv[2] ?? '', clientId: 'a', clientSecret: 'b' });
const { status } = await rubrica.regular.status({ referenceTransaction: 'TX-1' });
const unsigned = await verifyWebhook({ payload: '{}', headers: {}, secrets: [] }).catch((error) => error.fault);
process.stdout.write([status, unsigned, typeof RubricaError].join(' '));
`;

/** What must compile for a user who has the declarations alone. */
const typed = `
import { createRubrica, type Status } from '@rubrica/sdk';

const rubrica = createRubrica({ baseUrl: 'https://example.com', apiToken: 'rbk_a' });
const { status } = await rubrica.regular.status({ referenceTransaction: 'TX-1' });
export const same: Status = status;
const registered = await rubrica.simplified.register({
  identificationNumber: '1', fingerCode: '2', emailAddress: '3', cellphoneNumber: '4',
  period: 'ONE_YEAR', referenceTransaction: 'TX-1',
});
export const date: string = registered.recovered ? registered.updatedDate : registered.createdAt;
// @ts-expect-error there is no such period
await rubrica.simplified.register({ ...({} as never), period: 'TEN_YEARS' as const, referenceTransaction: 1 });
`;

/** The same for who loads it with `require`. */
const required = program
  .replace(/import (.*) from '(.*)';/, "const $1 = require('$2');\n(async () => {")
  .concat('})();');

let home: string;
let installed: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sdk-installed-'));
  const { stdout: tarball } = await run('npm', ['run', '--silent', 'pack:dist', '--', home], { cwd: root });
  installed = join(home, 'node_modules', '@rubrica', 'sdk');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', tarball.trim(), '--strip-components=1', '-C', installed]);
  await writeFile(join(home, 'package.json'), '{"type":"module"}');
  await writeFile(join(home, 'program.js'), program);
  await writeFile(join(home, 'program.cjs'), required);
  await writeFile(join(home, 'typed.ts'), typed);
});
afterAll(() => rm(home, { recursive: true }));

const systemNode = '/usr/bin/node';
const nodes = [process.execPath, ...(existsSync(systemNode) ? [systemNode] : [])];

const programs = nodes.flatMap((node) => ['program.js', 'program.cjs'].map((file) => ({ node, file })));

test.each(programs)(
  'the packed package runs where it is installed, with nothing beside it: $node $file',
  async ({ node, file }) => {
    await using service = await scriptedService();
    service.script({ body: { status: 'GENERATED' } });
    const { stdout } = await run(node, [file, service.url], { cwd: home });
    expect(stdout).toBe('GENERATED MISSING_HEADER function');
  },
);

it('type-checks where it is installed, in a browser program too', async () => {
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
  await run(tsc, [...strict, '--lib', 'es2023,dom', 'typed.ts'], { cwd: home });
});

it('brings neither dependencies nor sources, and imports nothing', async () => {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  const files = await readdir(join(installed, 'dist'), { recursive: true });
  expect(files).toEqual(expect.arrayContaining(['esm/index.d.ts', 'cjs/index.d.ts']));
  for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name))) {
    const text = await readFile(join(installed, 'dist', file), 'utf8');
    const imported = [...text.matchAll(/(?:from|import|require)\s*\(?['"]([^'"]+)['"]/g)].map(
      ([, name]) => name,
    );
    for (const name of imported) expect(name).toMatch(/^\.{1,2}\//);
  }
});
