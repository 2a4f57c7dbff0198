import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { testGround } from '@rubrica/testkit';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** A port where nobody answers before `open`, and then what `url` names does. */
async function door(url: string) {
  const to = new URL(url);
  const server: Server = createServer((from) => {
    const onward = connect(Number(to.port), to.hostname);
    for (const [one, other] of [[from, onward] as const, [onward, from] as const]) {
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;
  return {
    url: through.href,
    open: () => once(server.listen(port, '127.0.0.1'), 'listening'),
    [Symbol.dispose]: () => void server.close(),
  };
}

it('provisioning says what it waits for, one after the other, and goes on', async () => {
  await using ground = await testGround('notifier');
  using database = await door(ground.service.ownerUrl);
  using bus = await door(ground.nats.url);
  using child = spawn(process.execPath, [program, 'provision'], {
    env: { ...ground.env, LOG_LEVEL: 'warn', DATABASE_OWNER_URL: database.url, NATS_URL: bus.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  const text = () => Buffer.concat(said).toString('utf8');
  await expect.poll(text).toContain('waiting for the database');
  expect(text()).not.toContain('waiting for the bus');
  await database.open();
  await expect.poll(text).toContain('waiting for the bus');
  expect(child.exitCode).toBeNull();
  await bus.open();
  expect(await ended).toEqual([0, null]);
});
