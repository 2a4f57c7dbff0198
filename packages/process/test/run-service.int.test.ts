import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { startChild } from './child.ts';

const root = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
const rootPackage = JSON.parse(root) as { readonly version: string };

describe('a service process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('stops in order on %s and exits 0', async (signal) => {
    await using child = startChild('service');
    await child.line('ready');
    const { port } = await child.line('management server started');
    const readyz = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(await readyz.json()).toEqual({ ready: true, checks: { service: 'ok', database: 'ok' } });
    child.kill(signal);
    expect(await child.exited()).toEqual({ code: 0, signal: null });
    const closed = child.logged().filter(({ message }) => message === 'closed');
    expect(closed.map(({ cleanup }) => cleanup)).toEqual(['consumers', 'database']);
  });

  it('collects what its start has left, where it may, before it is ready', async () => {
    const tell = `const collect = gc; globalThis.gc = (options) => { collect(options); console.log(JSON.stringify({ message: 'collected', ...options })); };`;
    await using child = startChild('service', {
      NODE_OPTIONS: `--expose-gc --import=data:text/javascript,${encodeURIComponent(tell)}`,
    });
    await child.line('ready');
    const said = child.logged().filter(({ message }) => message === 'collected' || message === 'ready');
    expect(said).toMatchObject([{ message: 'collected', flavor: 'last-resort' }, { message: 'ready' }]);
  });

  it('warns of a setting with a slip in its name, and says which release and commit run', async () => {
    await using child = startChild('service', { LOG_LEVLE: 'debug', REVISION: '1f2e3d4' });
    const { level, release, revision } = await child.line(
      'setting LOG_LEVLE is unknown; did you mean LOG_LEVEL?',
    );
    expect([level, release, revision]).toEqual(['warn', rootPackage.version, '1f2e3d4']);
    const { port } = await child.line('management server started');
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const build = `{version="${release}",revision="1f2e3d4",service="fixture"}`;
    expect(metrics).toContain(`rubrica_build_info${build} 1`);
  });

  it('does not cut its stop short for a second signal', async () => {
    await using child = startChild('service', { MODE: 'hang', SHUTDOWN_TIMEOUT_SECONDS: '1' });
    await child.line('ready');
    child.kill('SIGINT');
    await child.line('stopping');
    child.kill('SIGTERM');
    await child.line('already stopping');
    await child.line('stopped');
  });

  it('names the cleanup that hangs, gives up at the deadline and exits 1', async () => {
    await using child = startChild('service', { MODE: 'hang', SHUTDOWN_TIMEOUT_SECONDS: '1' });
    await child.line('ready');
    child.kill('SIGTERM');
    expect((await child.line('cleanup timed out')).cleanup).toBe('relay');
    expect(await child.exited()).toEqual({ code: 1, signal: null });
  });

  it('names what it waits for in the middle of its start, and exits 0 when it is stopped there', async () => {
    await using child = startChild('service', { MODE: 'slow-start' });
    await child.line('connecting');
    const { port } = await child.line('management server started');
    const readyz = await fetch(`http://127.0.0.1:${port}/readyz`);
    const checks = { service: 'starting or stopping', database: 'waiting' };
    expect([readyz.status, await readyz.json()]).toEqual([503, { ready: false, checks }]);
    child.kill('SIGTERM');
    expect(await child.exited()).toEqual({ code: 0, signal: null });
    expect(child.logged().map(({ message }) => message)).not.toContain('ready');
  });

  it('crashes on a rejection that nobody handles', async () => {
    await using child = startChild('service', { MODE: 'rejection' });
    expect(await child.exited()).toEqual({ code: 1, signal: null });
    expect(await child.line('unexpected error')).toMatchObject({
      level: 'fatal',
      reason: 'unhandledRejection',
    });
  });

  it('cleans up what it had begun and exits 1 when it cannot start', async () => {
    await using child = startChild('service', { MODE: 'broken' });
    expect(await child.exited()).toEqual({ code: 1, signal: null });
    const messages = child.logged().map(({ message }) => message);
    expect(messages).toContain('service start failed');
    expect(messages.filter((message) => message === 'closed')).toHaveLength(2);
  });

  it('lists all faults of its configuration in plain words and exits 78', async () => {
    await using child = startChild('service', { MANAGEMENT_PORT: 'x', SANDBOX: 'maybe' });
    expect(await child.exited()).toEqual({ code: 78, signal: null });
    expect(child.errors()).toBe(
      [
        'The configuration cannot be used:',
        '  - MANAGEMENT_PORT: must be a whole number from 0 to 65535 (it is "x")',
        '  - SANDBOX: must be true or false (it is "maybe")',
        '',
      ].join('\n'),
    );
  });
});
