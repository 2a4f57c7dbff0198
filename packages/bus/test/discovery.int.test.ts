import { disposeAfterAll, testNats } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { createBusClient } from '../src/index.ts';
import type { TestRouter } from './fixtures/router.ts';
import { eventually, rejection, serveTestRouter, testBus } from './support.ts';

const nats = await disposeAfterAll(testNats());
const server = await disposeAfterAll(testBus(nats.url, 'server'));
const caller = await disposeAfterAll(testBus(nats.url, 'caller'));
const options = { version: '1.2.3', description: 'a test', name: 'tested' };
const served = await serveTestRouter(server.bus, { subjectPrefix: 'rpc.v1.seen', ...options });

async function all<T>(answers: Promise<AsyncIterable<T>>): Promise<T[]> {
  const found: T[] = [];
  for await (const answer of await answers) found.push(answer);
  return found;
}

describe('discovery', () => {
  const client = () => caller.bus.nc.services.client();

  it('shows the service to the tools of NATS, with every procedure', async () => {
    expect(await all(client().ping())).toMatchObject([{ name: 'tested', id: served.id, version: '1.2.3' }]);
    const [info] = await all(client().info('tested'));
    expect(info).toMatchObject({ description: 'a test', type: 'io.nats.micro.v1.info_response' });
    expect(info?.endpoints).toContainEqual({
      name: 'fails-byAccident',
      subject: 'rpc.v1.seen.fails.byAccident',
      queue_group: 'test',
      metadata: {},
    });
  });

  it('counts calls, errors and time, and shows no message thrown by accident', async () => {
    const calls = createBusClient<TestRouter>(caller.bus, { subjectPrefix: 'rpc.v1.seen' });
    await calls.greet.query({ name: 'a' });
    await rejection(calls.fails.byAccident.query());
    await rejection(calls.fails.onPurpose.query());
    const endpoint = async (name: string) => {
      const [stats] = await all(client().stats('tested', served.id));
      return stats?.endpoints?.find((one) => one.name === name);
    };
    await eventually(async () => (await endpoint('greet'))?.num_requests === 1, 'the call was counted');
    expect(await endpoint('greet')).toMatchObject({ num_errors: 0, subject: 'rpc.v1.seen.greet' });
    expect((await endpoint('greet'))?.processing_time).toBeGreaterThan(0);
    expect(await endpoint('fails-byAccident')).toMatchObject({
      num_errors: 1,
      last_error: 'INTERNAL_SERVER_ERROR',
    });
    expect((await endpoint('fails-onPurpose'))?.last_error).toBe('CONFLICT: Another caller was first');
  });

  it('ends when the service stops', async () => {
    await served.stop();
    expect(await rejection(all(client().ping()))).toMatchObject({ code: '503' });
  });
});
