import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort, freePorts } from './ports.ts';

test('a preferred port is given when it is free, else another below the range of outgoing connections', async () => {
  const wish = await freePort();
  expect(await freePort(wish)).toBe(wish);
  const listener = createServer().listen(wish, '127.0.0.1');
  await once(listener, 'listening');
  const other = await freePort(wish);
  listener.close();
  expect(other).not.toBe(wish);
  expect(other).toBeGreaterThanOrEqual(20_000);
  expect(other).toBeLessThan(32_000);
});

test('ports asked for together are all different, even for the same wish', async () => {
  const wish = await freePort();
  const ports = await freePorts([wish, wish, wish, undefined]);
  expect(new Set(ports).size).toBe(4);
  expect(ports[0]).toBe(wish);
});
