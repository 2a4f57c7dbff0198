import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Health } from '@rubrica/process/management';
import { describe, expect, it } from 'vitest';
import { runningTerms } from './support/running-terms.ts';

const main = join(import.meta.dirname, '../src/main.ts');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

describe('the process', () => {
  it('becomes ready, says which terms are missing, and ends with 0 on SIGTERM', async () => {
    await using terms = await runningTerms();
    const port = await freePort();
    using child = spawn(process.execPath, [main], {
      env: { ...terms.ground.env, MANAGEMENT_PORT: String(port), LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const said: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
    const exited = once(child, 'exit');
    const isReady = async () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(isReady).toBe(200);
    const missing = /"code":"NO_ACTIVE_TERMS","reason":"TRADITIONAL_SIGNATURE, TRANSACTIONAL_SIGNATURE"/;
    await expect.poll(() => Buffer.concat(said).toString('utf8')).toMatch(missing);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('names each dependency at /readyz while its database and the bus are away from the start', async () => {
    await using terms = await runningTerms();
    const [port, nobody] = [await freePort(), await freePort()];
    using child = spawn(process.execPath, [main], {
      env: {
        ...terms.ground.env,
        MANAGEMENT_PORT: String(port),
        DATABASE_URL: `postgres://terms:x@127.0.0.1:${nobody}/terms`,
        NATS_URL: `nats://127.0.0.1:${nobody}`,
        NATS_TLS_DIRECTORY: '',
      },
      stdio: 'ignore',
    });
    const readyz = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
      return {
        status: answer.status,
        ...((await answer.json()) as Awaited<ReturnType<Health['readiness']>>),
      };
    };
    await expect.poll(() => readyz().catch(() => undefined)).toBeDefined();
    const checks = { service: 'starting or stopping', database: 'failed', nats: 'waiting' };
    await expect.poll(readyz).toMatchObject({ status: 503, ready: false, checks });
    expect(Object.keys((await readyz()).checks).sort()).toEqual(['clock', 'database', 'nats', 'service']);
    expect(child.exitCode).toBeNull();
  });

  it('names every missing setting at once and ends with 78', async () => {
    const child = spawn(process.execPath, [main], { env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    expect(await once(child, 'close')).toEqual([78, null]);
    const said = Buffer.concat(chunks).toString('utf8');
    for (const setting of ['NATS_URL', 'DATABASE_URL', 'KEYS_FILE', 'PEERS_FILE', 'MANAGEMENT_PORT']) {
      expect(said).toContain(`${setting} is required`);
    }
  });
});
