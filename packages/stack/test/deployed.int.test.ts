import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { connect, type TlsOptions } from 'nats';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { renewCertificates } from '../src/deploy/make-secrets.ts';
import { serviceNames } from '../src/setup/services.ts';
import { knock } from './support/bus-door.ts';
import { startDeployed } from './support/deployed.ts';

/** compose.yaml, with a sandbox in place of registries, and a mail server that keeps what it gets. */
const deployed = await disposeAfterAll(
  startDeployed({
    BASE_URL: 'http://firmas.test',
    PKI_BASE_URL: 'http://pki.test',
    SANDBOX: 'true',
  }),
);

interface Connections {
  readonly connections: readonly { authorized_user?: string; tls_version?: string; name?: string }[];
}

describe('the deployment of compose.yaml', () => {
  it('is ready: every service, with the secrets that were made for it', async () => {
    const ready = await Promise.all(serviceNames.map((name) => deployed.isReady(name)));
    expect(ready).toEqual(serviceNames.map(() => true));
  });

  it('serves an administrator through gateway, bus, intake and database', async () => {
    const { address } = deployed.container('gateway');
    const answer = await fetch(`http://${address}:3000/trpc/auth.signIn`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(deployed.administrator),
    });
    expect(await answer.json()).toMatchObject({ result: { data: { role: 'admin' } } });
  });

  it('serves an administrator through the console, which keeps the tokens to itself', async () => {
    const { address, service } = deployed.container('console');
    const answer = await fetch(`http://${address}:3010/trpc/auth.signIn`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.environment?.CONSOLE_URL ?? '' },
      body: JSON.stringify(deployed.administrator),
    });
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-/);
    expect(await answer.text()).not.toContain('Token');
  });

  it('has no connection to PostgreSQL that is not encrypted', async () => {
    const rows = await deployed.query<{ usename: string; ssl: boolean; version: string }>(
      `select distinct usename, ssl, version from pg_stat_ssl join pg_stat_activity using (pid)
       where usename like 'rubrica\\_%' order by usename`,
    );
    const services = ['generation', 'intake', 'notifier', 'terms'];
    expect(rows).toEqual(
      services.map((name) => ({ usename: `rubrica_${name}`, ssl: true, version: 'TLSv1.3' })),
    );
  });

  it('has none to nats-server either, and each is known by the name in its certificate', async () => {
    const { connections } = await deployed.monitoring<Connections>('connz?auth=1');
    const users = connections.map(({ authorized_user: user }) => user).sort();
    const streams = serviceNames.filter((name) => name !== 'terms').map((name) => `${name}-streams`);
    expect(users).toEqual([...serviceNames, ...streams].map((name) => `${name}@bus.rubrica`).sort());
    expect(new Set(connections.map(({ tls_version: version }) => version))).toEqual(new Set(['1.3']));
  });

  it('keeps out whoever has no certificate, another service’s, or comes to PostgreSQL without TLS', async () => {
    const bus = deployed.container('nats').address;
    const file = (name: string) => readFile(join(deployed.folder, 'secrets', 'tls', name), 'utf8');
    const server = { ca: await file('terms/ca.pem'), servername: 'nats' };
    expect(await knock({ host: bus, port: 4222 }, server)).toMatchObject({ isIn: false });
    const terms = { cert: await file('terms/terms.pem'), key: await file('terms/terms.key') };
    expect(await knock({ host: bus, port: 4222 }, { ...server, ...terms })).toMatchObject({ isIn: true });
    const env = deployed.container('intake').service.environment ?? {};
    const asIntake = connect({
      servers: `${bus}:4222`,
      user: 'intake',
      pass: env.NATS_PASSWORD,
      reconnect: false,
      // nats.js takes the name from the address, which has none here.
      tls: { ...terms, ca: server.ca, checkServerIdentity: () => undefined } as TlsOptions,
    });
    await expect(asIntake).rejects.toThrow(/Authorization/);
    const url = new URL(env.DATABASE_URL ?? '');
    url.search = '';
    url.hostname = deployed.container('postgres').address;
    await expect(new pg.Client({ connectionString: url.href }).connect()).rejects.toThrow(/no encryption/);
  });

  it('goes on with renewed certificates, which nats-server shows after SIGHUP', async () => {
    const tls = join(deployed.folder, 'secrets', 'tls');
    await renewCertificates(deployed.folder);
    deployed.signalNats('SIGHUP');
    const renewed = new X509Certificate(await readFile(join(tls, 'nats', 'server.pem')));
    const own = async () => ({
      ca: await readFile(join(tls, 'intake', 'ca.pem')),
      cert: await readFile(join(tls, 'intake', 'intake.pem')),
      key: await readFile(join(tls, 'intake', 'intake.key')),
      servername: 'nats',
    });
    const door = { host: deployed.container('nats').address, port: 4222 };
    const seen = await pollFor(async () => {
      const one = await knock(door, await own());
      return one.serial === renewed.serialNumber && one;
    });
    expect(seen.isIn).toBe(true);
    const ready = await Promise.all(serviceNames.map((name) => deployed.isReady(name)));
    expect(ready).toEqual(serviceNames.map(() => true));
  });
});
