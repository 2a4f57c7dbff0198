import { type NatsMember, pollFor, type TestNatsCluster, testNatsCluster } from '@rubrica/testkit';
import { provisionStreams } from '@rubrica/wiring/provision';
// biome-ignore lint/style/noRestrictedImports: an outsider's look at the bus must not depend on the bus
import { connect } from 'nats';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type OwnScene, openScene } from '../e2e/support/scene.ts';
import { say } from './support/say.ts';
import { drillUnderLoad } from './support/under-load.ts';

let nats: TestNatsCluster;
let scene: OwnScene;

beforeAll(async () => {
  say('three nats-servers, streams with three replicas, all services as processes');
  nats = await testNatsCluster();
  await pollFor(() => withManager((manager) => manager.getAccountInfo()));
  scene = await openScene({ env: { NATS_URL: nats.url, NATS_API_PREFIX: '$JS.API', NATS_REPLICAS: '3' } });
});
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await nats?.[Symbol.asyncDispose]();
});

async function withManager<T>(
  ask: (manager: Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['jetstreamManager']>>) => Promise<T>,
): Promise<T> {
  const connection = await connect({ servers: nats.url.split(',') });
  try {
    return await ask(await connection.jetstreamManager({ checkAPI: false }));
  } finally {
    await connection.close();
  }
}

async function leaderOf(stream: string): Promise<NatsMember> {
  const { cluster } = await withManager((manager) => manager.streams.info(stream));
  const leader = nats.members.find(({ name }) => name === cluster?.leader);
  if (leader === undefined) throw new Error(`${stream} has no leader`);
  return leader;
}

async function provisionAgain(): Promise<void> {
  for (const owner of ['intake', 'generation', 'notifier'] as const) {
    const settings = { natsUser: '', natsPassword: '', natsReplicas: 3 };
    await pollFor(() =>
      provisionStreams(owner, { url: nats.url, apiPrefix: '$JS.API' }, settings, console).then(() => true),
    );
  }
}

describe('with three nats-servers', () => {
  it('nothing accepted is lost or doubled, whatever becomes of them', async () => {
    let killed: NatsMember | undefined;
    await drillUnderLoad(scene, {
      inFlight: 24,
      faults: [
        {
          what: 'the leader of JOBS_CERTIFICATE is killed',
          happens: async () => {
            killed = await leaderOf('JOBS_CERTIFICATE');
            await killed.kill();
          },
        },
        {
          what: 'that server comes back',
          happens: async () => killed?.restart(),
        },
        {
          what: 'two of three are killed for 10 s and come back',
          happens: async () => {
            const majority = nats.members.slice(0, 2);
            await Promise.all(majority.map((one) => one.kill()));
            await new Promise((resolve) => setTimeout(resolve, 10_000));
            await Promise.all(majority.map((one) => one.restart()));
          },
        },
        {
          what: 'all streams are lost with their disks, and provisioned anew',
          happens: async () => {
            await nats.empty();
            await provisionAgain();
          },
        },
      ],
    });
  });
});
