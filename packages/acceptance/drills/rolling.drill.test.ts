import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { type Child, freePort, spawnChild } from '@rubrica/testkit/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countCertificates, queryStack } from '../e2e/support/ledger.ts';
import { partnerActor } from '../e2e/support/partner-actor.ts';
import { until } from '../e2e/support/poll.ts';
import { type OwnScene, openScene } from '../e2e/support/scene.ts';
import {
  allowFormerLocks,
  type TwoVersions,
  twoVersions,
  type Version,
} from '../e2e/support/two-versions.ts';
import { type Balancer, startBalancer } from './support/balancer.ts';
import { startLoad } from './support/load.ts';
import { say, sayTable } from './support/say.ts';

/** Each service is the first of one order and the last of another. */
const orders = services.map((_, first) => [...services.slice(first), ...services.slice(0, first)]);
/** The former release seals no calls; its intake signs neither, and registers without a MAC. */
const statements = {
  ORDER_STATEMENTS: 'accepted',
  DELIVERY_STATEMENTS: 'accepted',
  BUS_SEALS: 'accepted',
  ADOPT_REQUESTS_HOURS: '24',
};
const copies = { intake: 2, generation: 2, terms: 2, notifier: 2 };

describe('two copies of each service, replaced one by one behind HAProxy under load', () => {
  const resources = new AsyncDisposableStack();
  const rows: (string | number)[][] = [['order', 'to', 'calls', 'failed', 'certificates']];
  let versions: TwoVersions;
  let scene: OwnScene;
  let balancer: Balancer;
  let partnerInfo: Parameters<typeof partnerActor>[0];
  let secondGateway: Child;
  let secondPort: number;
  let secondManagementPort: number;

  beforeAll(async () => {
    versions = resources.use(await twoVersions());
    const port = await freePort();
    const env = { ...statements, DRAIN_DELAY_SECONDS: '2', BASE_URL: `http://127.0.0.1:${port}` };
    say('a stack of this release: its migrations come first');
    scene = resources.use(await openScene({ folders: versions.folders, copies, env }));
    await allowFormerLocks(scene.stack);
    secondPort = await freePort();
    secondManagementPort = await freePort();
    await startSecondGateway();
    resources.defer(async () => {
      await secondGateway.stop({ signal: 'SIGTERM', deadlineMs: 20_000 });
    });
    const { baseUrl, metrics } = scene.stack.info();
    const first = { name: 'first', port: portOf(baseUrl), managementPort: portOf(metrics.gateway) };
    const second = { name: 'second', port: secondPort, managementPort: secondManagementPort };
    balancer = resources.use(await startBalancer({ folder: scene.folder, port, backends: [first, second] }));
    const url = `http://127.0.0.1:${port}`;
    await until('HAProxy', () => isReady(`${url}/openapi.json`));
    partnerInfo = { ...scene.stack.info(), baseUrl: url };
    say('every service of the former release, on the schema of this one');
    for (const service of services) await replace(service, 'former', 'present');
  });
  afterAll(async () => {
    sayTable(rows);
    await resources.disposeAsync();
  });

  const portOf = (url: string) => Number(new URL(url).port);
  const isReady = (url: string) =>
    fetch(url)
      .then(({ ok }) => ok || undefined)
      .catch(() => undefined);

  /** As the stack starts its own gateway, at other ports. */
  async function startSecondGateway(): Promise<void> {
    const { pid } = scene.stack.info().services.gateway;
    const text = await readFile(`/proc/${pid}/environ`, 'utf8');
    const settings = Object.fromEntries(
      text.split('\0').flatMap((line) => {
        const at = line.indexOf('=');
        return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1)]];
      }),
    );
    const folder = versions.folders.gateway;
    secondGateway = await spawnChild({
      command: process.execPath,
      args: [join(folder, 'main.mjs')],
      cwd: folder,
      env: { ...settings, PORT: String(secondPort), MANAGEMENT_PORT: String(secondManagementPort) },
      logFile: join(scene.stack.home, 'logs', 'gateway-2.log'),
      onParentDeath: 'SIGTERM',
    });
    await until('the second gateway', () => isReady(`http://127.0.0.1:${secondManagementPort}/readyz`));
  }

  /** One copy after the other; the next once the one before is ready. */
  async function replace(service: ServiceName, to: Version, from: Version): Promise<void> {
    await versions.choose(service, to);
    if (service === 'gateway') return replaceGateways(from);
    for (const copy of [0, 1]) await replaceInStack(service, copy);
  }

  async function replaceInStack(service: ServiceName, copy: number): Promise<void> {
    const before = scene.stack.info().services[service].pids[copy];
    await scene.stack.services[service].kill('SIGTERM', copy);
    await until(`${service} ${copy}`, () => {
      const { pids } = scene.stack.info().services[service];
      return (pids.length === copySize(service) && pids[copy] !== before) || undefined;
    });
    await scene.stack.services[service].ready(120_000);
  }

  const copySize = (service: ServiceName) => (service === 'gateway' ? 1 : 2);

  /** The release before has no drain: whoever replaces it takes it out of the balancer first. */
  async function replaceGateways(from: Version): Promise<void> {
    if (from === 'former') await balancer.set('first', 'drain');
    await replaceInStack('gateway', 0);
    if (from === 'former') await balancer.set('first', 'ready');
    await bothServe();
    if (from === 'former') await balancer.set('second', 'drain');
    await secondGateway.stop({ signal: 'SIGTERM', deadlineMs: 30_000 });
    await startSecondGateway();
    if (from === 'former') await balancer.set('second', 'ready');
    await bothServe();
  }

  async function bothServe(): Promise<void> {
    await until('both gateways behind HAProxy', async () => (await balancer.serving()) === 2 || undefined);
  }

  const turns = orders.flatMap((order) => [
    { order, to: 'present', from: 'former' } as const,
    { order, to: 'former', from: 'present' } as const,
  ]);

  it.each(turns)(
    '$order, to the $to release: nothing fails, is lost or doubled',
    async ({ order, to, from }) => {
      // With a token of its own: all turns take longer than one lives.
      await using partner = await partnerActor(partnerInfo, 'sandbox');
      const load = startLoad(partner, 3);
      for (const service of order) {
        say(`${service}: ${from} to ${to} (${load.calls()} calls, ${load.failed.length} failed)`);
        await replace(service, to, from);
      }
      await load.finish();
      rows.push([order.join(' '), to, load.calls(), load.failed.length, load.accepted.length]);
      expect(load.failed).toEqual([]);
      expect(load.accepted.length).toBeGreaterThan(order.length);
      const certificates = await countCertificates(scene.stack);
      expect([...certificates.values()].filter((count) => count !== 1)).toEqual([]);
      const requests = await queryStack<{ count: number }>(
        scene.stack,
        'select count(*)::int as count from intake.request',
      );
      expect(certificates.size).toBe(requests[0]?.count);
      for (const reference of load.accepted) {
        const events = partner.eventsOf(reference).filter(({ type }) => type === 'certificate.issued');
        expect(new Set(events.map(({ id }) => id)).size, `events of ${reference}`).toBe(1);
      }
      expect(partner.faults()).toEqual([]);
    },
  );
});
