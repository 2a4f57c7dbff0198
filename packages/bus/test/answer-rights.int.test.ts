import { testNats } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { createBusClient } from '../src/index.ts';
import type { TestRouter } from './fixtures/router.ts';
import { serveTestRouter, testBus } from './support.ts';

it('a server that may answer each message once answers every call, also where reply subjects are used again', async () => {
  const subjectPrefix = 'rpc.v1.once';
  await using nats = await testNats({
    users: [
      {
        user: 'server',
        password: 's',
        publish: { allow: ['none'] },
        subscribe: { allow: [`${subjectPrefix}.>`, '$SRV.>', '_INBOX_server.>'] },
        allowResponses: true,
      },
      { user: 'caller', password: 'c' },
    ],
  });
  await using server = await testBus(nats.url, 'server', { user: 'server', password: 's' });
  await using caller = await testBus(nats.url, 'caller', { user: 'caller', password: 'c' });
  const served = await serveTestRouter(server.bus, { subjectPrefix });
  const client = createBusClient<TestRouter>(caller.bus, { subjectPrefix, timeoutMs: 5_000 });
  const numbers = Array.from({ length: 40 }, (_, number) => number);
  for (let round = 0; round < 10; round += 1) {
    expect(await Promise.all(numbers.map((number) => client.echo.query(number)))).toEqual(numbers);
  }
  await served.stop();
  expect(server.faults).toEqual([]);
});
