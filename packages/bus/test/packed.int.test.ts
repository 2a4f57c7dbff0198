import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testNats } from '@rubrica/testkit';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

/** A program of a user who installed the package. */
const program = `
import { initTRPC } from '@trpc/server';
import { connectBus, createBusClient, serveRouter } from '@rubrica/bus';

const servers: string = process.argv[2] ?? '';
const t = initTRPC.create();
const router = t.router({ twice: t.procedure.input((value) => Number(value)).query(({ input }) => input * 2) });
const bus = await connectBus({ servers, name: 'installed' });
const served = await serveRouter(bus, {
  router,
  subjectPrefix: 'rpc.v1.installed',
  queue: 'installed',
  createContext: () => ({}),
});
const client = createBusClient<typeof router>(bus, { subjectPrefix: 'rpc.v1.installed' });
const doubled: number = await client.twice.query(21);
process.stdout.write(String(doubled));
await served.stop();
await bus.drain();
`;

it('the packed package runs and type-checks where it is installed', async () => {
  await using nats = await testNats();
  const home = await mkdtemp(join(tmpdir(), 'bus-installed-'));
  try {
    const { stdout: tarball } = await run(process.execPath, [join(root, 'scripts', 'pack.ts'), home]);
    const installed = join(home, 'node_modules', '@rubrica', 'bus');
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', tarball.trim(), '--strip-components=1', '-C', installed]);
    // The dependencies as the repository has them: no registry needed, and no way back to the sources.
    const modules = join(root, '..', '..', 'node_modules');
    for (const name of ['nats', 'nkeys.js', 'tweetnacl', '@trpc', '@types', 'undici-types']) {
      await cp(join(modules, name), join(home, 'node_modules', name), { recursive: true });
    }
    await symlink(join(modules, 'typescript'), join(home, 'node_modules', 'typescript'));
    await writeFile(join(home, 'package.json'), '{"type":"module"}');
    await writeFile(join(home, 'program.ts'), program);
    const { stdout } = await run(process.execPath, ['program.ts', nats.url], { cwd: home });
    expect(stdout).toBe('42');
    const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    await run(join(modules, '.bin', 'tsc'), [...strict, 'program.ts'], { cwd: home });
  } finally {
    await rm(home, { recursive: true });
  }
});
