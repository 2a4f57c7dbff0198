import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { binDirectory, disposeAfterAll, pollFor } from '@rubrica/testkit';
import { createTransportAuthority, openTransportAuthority } from '@rubrica/testkit/certificates';
import { locateNatsServer } from '@rubrica/testkit/nats';
import { freePorts, spawnChild } from '@rubrica/testkit/processes';
import { connect } from 'nats';
import { describe, expect, it } from 'vitest';
import { makeSecrets } from '../src/deploy/make-secrets.ts';
import { knock } from './support/bus-door.ts';
import { copyOfDeploy, natsFiles, variables } from './support/compose.ts';

/** Three nats-servers by deploy/nats/cluster.conf; only ports are others, as all are on one machine. */
const names = ['nats-1', 'nats-2', 'nats-3'] as const;
const owned = await disposeAfterAll(new AsyncDisposableStack());
interface Server {
  readonly port: number;
  readonly monitoring: number;
  readonly routes: number;
}
const servers: Server[] = [];

const { path: folder } = owned.use(await copyOfDeploy());
await makeSecrets(folder, { nats: ['localhost'], postgres: ['localhost'] });
const secrets = join(folder, 'secrets');
const passwords = await variables(join(folder, '.env'));
for (const _ of names) {
  const [port = 0, monitoring = 0, routes = 0] = await freePorts([undefined, undefined, undefined]);
  servers.push({ port, monitoring, routes });
}
const binary = await locateNatsServer({ binDirectory });
for (const [index, name] of names.entries()) await startServer({ folder, binary, index, name });

async function startServer(of: { folder: string; binary: string; index: number; name: string }) {
  const { folder, binary, index, name } = of;
  const { port, monitoring, routes } = serverAt(index);
  const inside = (text: string) =>
    text
      .replaceAll('/etc/nats', join(folder, 'nats'))
      .replaceAll('/run/tls', join(secrets, 'tls', 'nats'))
      .replaceAll('/data', join(folder, name, 'jetstream'))
      .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
      .replace('127.0.0.1:8222', `127.0.0.1:${monitoring}`)
      .replace('0.0.0.0:6222', `127.0.0.1:${routes}`);
  const file = await natsFiles({ inside }, join(folder, name), 'cluster.conf');
  const addresses = servers.map((one) => `"nats-route://localhost:${one.routes}"`);
  const child = await spawnChild({
    command: binary,
    args: ['-c', file],
    env: { ...passwords, NATS_SERVER_NAME: name, NATS_ROUTES: `[${addresses.join(', ')}]` },
    cwd: folder,
    logFile: join(folder, `${name}.log`),
    onParentDeath: 'SIGTERM',
  });
  owned.defer(async () => void (await child.stop({ signal: 'SIGKILL', deadlineMs: 5_000 })));
}

function serverAt(index: number): Server {
  const server = servers[index];
  if (server === undefined) throw new Error(`there is no server ${index}`);
  return server;
}

async function monitoring<T>(index: number, path: string): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${serverAt(index).monitoring}/${path}`);
  return (await answer.json()) as T;
}

const read = (...path: string[]) => readFile(join(secrets, ...path), 'utf8');

async function connected(user: string, index: number) {
  const folder = join(secrets, 'tls', user);
  return connect({
    servers: `localhost:${serverAt(index).port}`,
    user,
    pass: passwords[`NATS_${user.toUpperCase()}_PASSWORD`],
    inboxPrefix: `_INBOX_${user}`,
    tls: {
      caFile: join(folder, 'ca.pem'),
      certFile: join(folder, `${user}.pem`),
      keyFile: join(folder, `${user}.key`),
    },
  });
}

describe('three nats-servers by cluster.conf', () => {
  it('are one: they agree on a leader of JetStream, over routes under TLS alone', async () => {
    interface Jetstream {
      meta_cluster?: { leader?: string; cluster_size?: number };
    }
    const leaders = await pollFor(
      async () => {
        const views = await Promise.all(names.map((_, index) => monitoring<Jetstream>(index, 'jsz')));
        const found = views.map(({ meta_cluster: cluster }) => cluster?.leader ?? '');
        return new Set(found).size === 1 && found[0] !== '' && found;
      },
      { deadlineMs: 90_000 },
    );
    expect(names).toContain(leaders[0]);
  });

  it('carry a call from a service at one of them to a service at another', async () => {
    const intake = await connected('intake', 0);
    const gateway = await connected('gateway', 1);
    const subject = 'rpc.v2.intake.gateway.clock.read';
    // As services do: a user may listen within the queue group of its service alone.
    intake.subscribe(subject, { queue: 'intake', callback: (_, call) => void call.respond('heard') });
    await intake.flush();
    const answer = await pollFor(() => gateway.request(subject, '', { timeout: 2_000 }));
    expect(answer.string()).toBe('heard');
    await Promise.all([intake.close(), gateway.close()]);
  });

  const route = () => ({ host: '127.0.0.1', port: serverAt(2).routes, isRoute: true });

  it('let a server in by a certificate of the routes’ own authority', async () => {
    const shown = { ca: await read('tls/nats/routes-ca.pem'), servername: 'localhost' };
    const own = { cert: await read('tls/nats/route.pem'), key: await read('tls/nats/route.key') };
    expect(await knock(route(), { ...shown, ...own })).toMatchObject({ isIn: true });
  });

  it.each([
    ['no certificate', async () => ({})],
    [
      'the certificate of a service',
      async () => ({ cert: await read('tls/intake/intake.pem'), key: await read('tls/intake/intake.key') }),
    ],
    [
      'the certificate that the server shows to services',
      async () => ({ cert: await read('tls/nats/server.pem'), key: await read('tls/nats/server.key') }),
    ],
    [
      'one for a server alone, of the routes’ own authority',
      async () => {
        const stored = {
          certificate: await read('authorities/bus-routes.pem'),
          key: await read('authorities/bus-routes.key'),
        };
        const made = await openTransportAuthority(stored).issue('serverAuth', { dnsNames: ['localhost'] });
        return { cert: made.certificate, key: made.key };
      },
    ],
    [
      'a route’s certificate of another authority with the same name',
      async () => {
        const other = await createTransportAuthority('Rubrica bus routes');
        const made = await other.issue('route', { dnsNames: ['localhost'] });
        return { cert: made.certificate, key: made.key };
      },
    ],
  ])('let nobody in as a server by %s', async (_, own) => {
    const shown = { ca: await read('tls/nats/routes-ca.pem'), servername: 'localhost' };
    expect(await knock(route(), { ...shown, ...(await own()) })).toMatchObject({ isIn: false });
  });

  it('let no service in by the certificate of a route', async () => {
    const shown = { ca: await read('tls/intake/ca.pem'), servername: 'localhost' };
    const own = { cert: await read('tls/nats/route.pem'), key: await read('tls/nats/route.key') };
    const door = { host: '127.0.0.1', port: serverAt(0).port };
    expect(await knock(door, { ...shown, ...own })).toMatchObject({ isIn: false });
  });
});

it('monitoring of a deployment listens on loopback alone', async () => {
  const { path: folder } = owned.use(await copyOfDeploy());
  const texts = await Promise.all(
    ['nats-server.conf', 'cluster.conf'].map((name) => readFile(join(folder, 'nats', name), 'utf8')),
  );
  const addresses = texts.join('\n').matchAll(/^\s*(?:http|https|monitor_port|http_port)\b.*$/gm);
  expect(Array.from(addresses, ([line]) => line.trim())).toEqual(['http: "127.0.0.1:8222"']);
});
