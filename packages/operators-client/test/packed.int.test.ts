import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generatedFiles } from '../scripts/generated-files.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const tsc = join(root, '..', '..', 'node_modules', '.bin', 'tsc');

/** What must compile for a dashboard that has the declarations alone. */
const typed = `
import { approveChange, createOperatorsClient, faultOf, operatorProcedures, verifyApprovalChallenge } from '@rubrica/operators-client';
import type { OperatorInput, OperatorOutput, OperatorRouter, Status } from '@rubrica/operators-client';
import { createTRPCClient, httpLink } from '@trpc/client';

const { procedures, signIn, session } = createOperatorsClient({ url: 'https://firma.example/trpc' });
await signIn({ email: 'a@b.ec', password: 'x' });
export const role: 'viewer' | 'reviewer' | 'admin' | undefined = session?.role;
const { items, nextCursor } = await procedures.requests.search.query({ status: 'ERROR', limit: 5 });
export const found: { status: Status; cursor: string | null } | undefined = items[0] && { status: items[0].status, cursor: nextCursor };
export const registered: number = (await procedures.overview.query()).registeredLastDay;
export const input: OperatorInput<'certificates.revoke'> = { serialNumber: '0A', revocationReason: 'superseded' };
export const needed: 'admin' = operatorProcedures['certificates.revoke'].role;
export const code: string | undefined = faultOf(new Error('x'))?.data?.appCode;
export const own = createTRPCClient<OperatorRouter>({ links: [httpLink({ url: '/trpc' })] });
export const history = async (): Promise<OperatorOutput<'certificates.get'>['history']> =>
  (await own.certificates.get.query({ serialNumber: '0A' })).history;
const change = await procedures.approvals.get.query({ id: 'intake.01a220f9-6cb2-7a0a-aa66-27d203568f5f' });
const verified: Promise<void> = verifyApprovalChallenge(change, 'AAAA');
export const approved: unknown = (await approveChange({ procedures }, change, { sign: () => Promise.reject(verified) })).result;
// @ts-expect-error there is no such state
await procedures.requests.search.query({ status: 'DONE' });
// @ts-expect-error a search changes nothing
procedures.requests.search.mutate;
// @ts-expect-error there is no such procedure
procedures.requests.nothing;
`;

let home: string;

/** What the compiler finds, in its words. */
function faultsOf(args: readonly string[]): Promise<string> {
  return run(tsc, args, { cwd: home }).then(
    () => '',
    (failed: { stdout: string }) => failed.stdout,
  );
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'operators-installed-'));
  await run(process.execPath, [join(root, 'scripts', 'install-packed.ts'), home]);
  await writeFile(join(home, 'typed.ts'), typed);
});
afterAll(() => rm(home, { recursive: true }));

it('type-checks where it is installed, its libraries too, for Node.js and for bundlers', async () => {
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--noEmit'];
  const target = ['--target', 'es2022', '--lib', 'es2023,dom', '--types', '', '--skipLibCheck', 'false'];
  for (const module of [['nodenext'], ['esnext', '--moduleResolution', 'bundler']])
    expect(await faultsOf([...strict, ...target, '--module', ...module, 'typed.ts'])).toBe('');
});

it('names nothing of ours, and no library but those that it declares', async () => {
  const installed = join(home, 'node_modules', '@rubrica', 'operators-client');
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect(await readdir(join(home, 'node_modules', '@rubrica'))).toEqual(['operators-client']);
  const files = await readdir(join(installed, 'dist'), { recursive: true });
  expect(files).toEqual(expect.arrayContaining(['esm/index.d.ts', 'cjs/index.d.ts']));
  for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name))) {
    const text = await readFile(join(installed, 'dist', file), 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:from|import|require)\s*\(?['"]([^'"]+)['"]/g))
      if (!name.startsWith('./')) expect(Object.keys(dependencies)).toContain(name);
  }
});

it('is made from the contracts as they are: `npm run generate` changes nothing', async () => {
  for (const [name, wanted] of Object.entries(generatedFiles()))
    expect(await readFile(join(root, 'src', name), 'utf8')).toBe(wanted);
});
