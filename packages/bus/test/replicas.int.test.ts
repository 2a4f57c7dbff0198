import { disposeAfterAll, pollFor, testNatsCluster } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { createPublisher, ensureBucket, ensureStreams, type StreamDefinition } from '../src/index.ts';
import { testBus } from './support.ts';

/** A stream of three nats-servers, by provisioning. */
const nats = await disposeAfterAll(testNatsCluster());
const test = await disposeAfterAll(testBus(nats.url.split(','), 'test'));
const manager = await test.bus.nc.jetstreamManager({ checkAPI: false });
await pollFor(() => manager.getAccountInfo());

const jobs: StreamDefinition = {
  name: 'JOBS',
  subjects: ['jobs.>'],
  retention: 'workqueue',
  discard: 'new',
  maxAgeMs: 0,
  maxBytes: 1_048_576,
  duplicateWindowMs: 600_000,
};

async function replicasOf(name: string): Promise<number> {
  const manager = await test.bus.nc.jetstreamManager({ checkAPI: false });
  return (await manager.streams.info(name)).config.num_replicas;
}

describe('replicas of a stream', () => {
  it('are raised and never lowered', async () => {
    expect(await pollFor(() => ensureStreams(test.bus, [jobs]))).toEqual(['created']);
    expect(await replicasOf('JOBS')).toBe(1);
    expect(await ensureStreams(test.bus, [jobs], { replicas: 3 })).toEqual(['updated']);
    expect(await replicasOf('JOBS')).toBe(3);
    expect(await ensureStreams(test.bus, [jobs])).toEqual(['unchanged']);
    expect(await ensureStreams(test.bus, [{ ...jobs, maxBytes: 2_000_000 }])).toEqual(['updated']);
    expect(await replicasOf('JOBS')).toBe(3);
  });

  it('are raised and never lowered of a bucket either', async () => {
    const bucket = { bucket: 'FILES', maxBytes: 1_000_000 };
    expect(await ensureBucket(test.bus, { ...bucket, replicas: 3 })).toBe('created');
    expect(await ensureBucket(test.bus, bucket)).toBe('unchanged');
    expect(await replicasOf('OBJ_FILES')).toBe(3);
  });

  it('keep what was acknowledged when the server that leads is killed', async () => {
    const { publish } = createPublisher(test.bus, { timeoutMs: 5_000 });
    const manager = await test.bus.nc.jetstreamManager({ checkAPI: false });
    const stored = (id: string) => pollFor(() => publish({ subject: 'jobs.a', id, data: 'x' }));
    const { sequence } = await stored('before');
    const { cluster } = await manager.streams.info('JOBS');
    const leader = nats.members.find(({ name }) => name === cluster?.leader);
    await leader?.kill();
    expect((await stored('after')).sequence).toBe(sequence + 1);
    await leader?.restart();
    expect((await stored('before')).duplicate).toBe(true);
  });
});
