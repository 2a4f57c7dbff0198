import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { createHealth, type Health } from './health.ts';
import { startManagementServer } from './management-server.ts';

async function startServer(options: { isReady?: () => boolean; prepare?: (health: Health) => void } = {}) {
  const health = createHealth({ isReady: options.isReady ?? (() => true), checkTimeoutMs: 20 });
  options.prepare?.(health);
  const metrics = createMetrics({ service: 'intake' });
  const server = await startManagementServer({ host: '127.0.0.1', port: 0, health, metrics });
  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);
  /** Sends the text on one connection; tells the number of answers when it ends. */
  const sendRaw = (text: string) =>
    new Promise<number>((resolve) => {
      let received = '';
      const socket = connect(server.port, '127.0.0.1', () => void socket.write(text));
      socket.setEncoding('utf8').on('data', (chunk) => (received += chunk));
      // A reset is an end like any other.
      socket.on('error', () => undefined);
      socket.once('close', () => resolve(received.match(/HTTP\/1\.1 /g)?.length ?? 0));
    });
  return { get, sendRaw, metrics, [Symbol.asyncDispose]: () => server.stop() };
}

describe('the management server', () => {
  it('is alive even while it is not ready', async () => {
    await using server = await startServer({ isReady: () => false });
    expect((await server.get('/livez')).status).toBe(200);
    const readyz = await server.get('/readyz');
    expect(readyz.status).toBe(503);
    expect(await readyz.json()).toEqual({ ready: false, checks: { service: 'starting or stopping' } });
  });

  it('is ready when every named check is, and names the one that fails or hangs', async () => {
    let databaseUp = true;
    await using server = await startServer({
      prepare(health) {
        health.addCheck('database', () => {
          if (!databaseUp) throw new Error('postgres://user:hunter2@db is down');
        });
      },
    });
    expect((await server.get('/readyz')).status).toBe(200);
    databaseUp = false;
    const answer = await server.get('/readyz');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ ready: false, checks: { service: 'ok', database: 'failed' } });
  });

  it('names what it will check before it can, and takes no other', async () => {
    const health = createHealth({ isReady: () => true, checks: ['database', 'nats'] });
    health.addCheck('database', () => undefined);
    expect(await health.readiness()).toEqual({
      ready: false,
      checks: { service: 'ok', database: 'ok', nats: 'waiting' },
    });
    health.addCheck('nats', () => undefined);
    expect(await health.readiness()).toMatchObject({ ready: true, checks: { nats: 'ok' } });
    expect(() => health.addCheck('streams', () => undefined)).toThrow('streams');
  });

  it('stays ready with a warning, which it names as long as there is one', async () => {
    const health = createHealth({ isReady: () => true });
    let text: string | undefined = 'no copy publishes';
    health.addWarning('relay', () => text);
    const checks = { service: 'ok' };
    expect(await health.readiness()).toEqual({ ready: true, checks, warnings: { relay: text } });
    text = undefined;
    expect(await health.readiness()).toEqual({ ready: true, checks });
  });

  it('does not wait for a check that hangs', async () => {
    await using server = await startServer({
      prepare: (health) => health.addCheck('bus', () => new Promise(() => undefined)),
    });
    expect(await (await server.get('/readyz')).json()).toMatchObject({ checks: { bus: 'timeout' } });
  });

  it('serves what was counted, with the name of the service', async () => {
    await using server = await startServer();
    server.metrics
      .counter({ name: 'rubrica_test_total', help: 'Test', labels: ['outcome'] })
      .inc({ outcome: 'ok' });
    server.metrics.gauge({ name: 'rubrica_test_lag', help: 'Test', collect: (gauge) => gauge.set(7) });
    const text = await (await server.get('/metrics')).text();
    expect(text).toContain('rubrica_test_total{outcome="ok",service="intake"} 1');
    expect(text).toContain('rubrica_test_lag{service="intake"} 7');
    expect(text).toMatch(/process_resident_memory_bytes\{service="intake"\} \d{7,}/);
  });

  it('ends a connection with many small chunks, or many calls sent ahead', async () => {
    await using server = await startServer();
    const head = 'host: test\r\ntransfer-encoding: chunked\r\n\r\n';
    const chunks = '1\r\nx\r\n'.repeat(20_000);
    expect(await server.sendRaw(`GET /livez HTTP/1.1\r\n${head}${chunks}`)).toBeLessThan(2);
    const calls = 'GET /livez HTTP/1.1\r\nhost: test\r\n\r\n'.repeat(2_000);
    expect(await server.sendRaw(calls)).toBeLessThan(140);
  });

  it('answers other addresses and methods plainly', async () => {
    await using server = await startServer();
    expect((await server.get('/')).status).toBe(404);
    const posted = await server.get('/livez', { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
