import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { builtServices } from '@rubrica/build';
import { binDirectory, pollFor } from '@rubrica/testkit';
import { locateNatsServer } from '@rubrica/testkit/nats';
import { ensureCluster, locateBinaries, postgresAccount, superuser } from '@rubrica/testkit/postgres';
import { type Child, spawnChild } from '@rubrica/testkit/processes';
import pg from 'pg';
import { makeSecrets } from '../../src/deploy/make-secrets.ts';
import { type Deployable, deployables, fileChecker } from '../../src/deploy/read-deployable-settings.ts';
import { databaseServices } from '../../src/setup/services.ts';
import { type Container, containers, copyOfDeploy, natsFiles } from './compose.ts';
import { type Mails, startMails } from './mails.ts';

const run = promisify(execFile);

export interface Deployed extends AsyncDisposable {
  /** The copy of deploy/, with secrets. */
  readonly folder: string;
  readonly administrator: { readonly email: string; readonly password: string };
  container(name: string): Container;
  /** Anything in its log that the other side would have to say. */
  log(name: string): Promise<string>;
  isReady(name: string): Promise<boolean>;
  /** To PostgreSQL, held against its name. */
  query<T extends object>(text: string): Promise<T[]>;
  /** From nats-server's monitoring. */
  monitoring<T>(path: string): Promise<T>;
  signalNats(signal: NodeJS.Signals): void;
}

/**
 * Everything of compose.yaml, started as it says there but without an engine: commands, environment and mounted files
 * are its own, and each container has an address of its own on loopback, found by its name.
 */
export async function startDeployed(given: Record<string, string>): Promise<Deployed> {
  await using owned = new AsyncDisposableStack();
  const { path: folder } = owned.use(await copyOfDeploy());
  await makeSecrets(folder);
  const mails = await startMails(owned);
  const all = await containers(folder, {
    ...given,
    ...mails.settings,
    FIRST_ADMINISTRATORS: firstTwo.join(),
  });
  const container = (name: string) => {
    const found = all.get(name);
    if (found === undefined) throw new Error(`compose.yaml has no ${name}`);
    return found;
  };
  const context: Context = { folder, container, owned };
  await startPostgres(context);
  const nats = await startNats(context);
  await makeRoles(container('database-roles'), container('postgres').address);
  await Promise.all(databaseServices.map((service) => provision(`${service}-provision`, context)));
  await Promise.all([...deployables, fileChecker].map((service) => startService(service, context)));
  const isReady = (name: string) => answersOk(`http://${container(name).address}:9000/readyz`);
  for (const service of [...deployables, fileChecker])
    await pollFor(() => isReady(service), { what: `${service} is ready` });
  const administrator = await openAccount(firstTwo[0], { mails, gateway: container('gateway').address });
  const held = owned.move();
  return {
    folder,
    administrator,
    container,
    isReady,
    log: (name) => readFile(logFile(context, name), 'utf8'),
    query: async <T extends object>(text: string) => {
      const client = await superuserClient(container('database-roles'), container('postgres').address);
      const { rows } = await client.query<T>(text);
      await client.end();
      return rows;
    },
    monitoring: async <T>(path: string) => {
      const answer = await fetch(`http://${container('nats').address}:8222/${path}`);
      return (await answer.json()) as T;
    },
    signalNats: (signal) => nats.signal(signal),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const firstTwo = ['ana@example.com', 'beto@example.com'] as const;

/** As the page of the link does. */
async function openAccount(
  email: string,
  { mails, gateway }: { readonly mails: Mails; readonly gateway: string },
): Promise<Deployed['administrator']> {
  const password = randomBytes(15).toString('base64url');
  const answer = await fetch(`http://${gateway}:3000/trpc/auth.acceptInvitation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: await mails.tokenFor(email), password }),
  });
  if (!answer.ok) throw new Error(`the account is not open: ${await answer.text()}`);
  return { email, password };
}

interface Context {
  readonly folder: string;
  readonly owned: AsyncDisposableStack;
  container(name: string): Container;
}

const logFile = ({ folder }: Context, name: string) => join(folder, `${name}.log`);

async function startPostgres(context: Context): Promise<void> {
  const { service, address, inside } = context.container('postgres');
  const account = await postgresAccount();
  const binaries = await locateBinaries({ copyForOtherUser: account !== undefined });
  const dataDirectory = join(inside('/var/lib/postgresql'), 'data');
  const { POSTGRES_USER = '', POSTGRES_PASSWORD = '' } = service.environment ?? {};
  if (POSTGRES_USER !== superuser) throw new Error(`the cluster would belong to ${superuser}`);
  await ensureCluster({ dataDirectory, binaries, account, password: POSTGRES_PASSWORD });
  await ownTls(context.container('postgres'), account !== undefined);
  const [program, ...settings] = service.command ?? [];
  if (program !== 'postgres') throw new Error(`postgres runs ${program}`);
  const here = ['-D', dataDirectory, '-h', address, '-p', '5432', '-c', 'unix_socket_directories='];
  const child = await spawnChild({
    command: binaries.postgres,
    args: [...here, '-c', 'dynamic_shared_memory_type=mmap', ...settings.map(inside)],
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    cwd: dataDirectory,
    logFile: logFile(context, 'postgres'),
    account,
    onParentDeath: 'SIGQUIT',
  });
  context.owned.defer(async () => void (await child.stop({ signal: 'SIGQUIT', deadlineMs: 10_000 })));
  await pollFor(async () => {
    const client = await superuserClient(context.container('database-roles'), address, 'postgres');
    await client.query('select').then(() => client.query('create database rubrica'));
    await client.end();
    return true;
  });
}

/** The container's entry point, where this user may give files away; else what it does. */
async function ownTls({ service, inside }: Container, isRoot: boolean): Promise<void> {
  const [shell = '', script = ''] = service.entrypoint ?? [];
  await chmod(inside('/run/own-tls'), 0o755);
  if (isRoot) {
    await run(shell, ['-c', inside(await readFile(inside(script), 'utf8')), script, 'true']);
    return;
  }
  for (const name of ['server.pem', 'server.key']) {
    await copyFile(inside(`/run/tls/${name}`), inside(`/run/own-tls/${name}`));
    await chmod(inside(`/run/own-tls/${name}`), 0o600);
  }
}

/** As `psql` of that container connects: by the variables of libpq that it has. */
async function superuserClient(
  { service, inside }: Container,
  address: string,
  database = 'rubrica',
): Promise<pg.Client> {
  const { PGPASSWORD, PGOPTIONS, PGSSLMODE, PGSSLROOTCERT = '' } = service.environment ?? {};
  if (PGSSLMODE !== 'verify-full') throw new Error(`the roles are made with sslmode ${PGSSLMODE}`);
  const ca = await readFile(inside(PGSSLROOTCERT), 'utf8');
  const client = new pg.Client({
    host: address,
    port: 5432,
    user: superuser,
    password: PGPASSWORD,
    database,
    options: PGOPTIONS,
    ssl: { ca, servername: 'postgres' },
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function makeRoles(container: Container, address: string): Promise<void> {
  const client = await superuserClient(container, address);
  await client.query(await readFile(container.inside('/roles.sql'), 'utf8'));
  await client.end();
}

async function startNats(context: Context): Promise<Child> {
  const container = context.container('nats');
  const file = await natsFiles(container, join(context.folder, 'nats-here'), 'nats-server.conf');
  const child = await spawnChild({
    command: await locateNatsServer({ binDirectory }),
    args: ['-c', file],
    env: { ...container.service.environment },
    cwd: context.folder,
    logFile: logFile(context, 'nats'),
    onParentDeath: 'SIGTERM',
  });
  context.owned.defer(async () => void (await child.stop({ signal: 'SIGTERM', deadlineMs: 10_000 })));
  await pollFor(() => answersOk(`http://${container.address}:8222/healthz`));
  return child;
}

async function provision(name: string, context: Context): Promise<void> {
  const child = await spawnService(name, context);
  const { code } = await child.exited;
  if (code !== 0) throw new Error(`${name} failed:\n${await readFile(logFile(context, name), 'utf8')}`);
}

async function startService(name: string, context: Context): Promise<void> {
  const child = await spawnService(name, context);
  context.owned.defer(async () => void (await child.stop({ signal: 'SIGTERM', deadlineMs: 15_000 })));
}

/** With the image's own environment, as the Dockerfile has it. */
async function spawnService(name: string, context: Context): Promise<Child> {
  const { service, inside, address } = context.container(name);
  const hosts = ['nats', 'postgres', 'gateway'].map((host) => `${host}=${context.container(host).address}`);
  const given = Object.entries(service.environment ?? {}).map(([key, value]) => [key, inside(`${value}`)]);
  const [, ...program] = service.command ?? ['node', 'main.mjs'];
  const built = await builtServices();
  return spawnChild({
    command: process.execPath,
    args: ['--heap-growing-percent=200', ...program],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      MANAGEMENT_HOST: address,
      MALLOC_ARENA_MAX: '1',
      NODE_OPTIONS: `--expose-gc --max-semi-space-size=8 --import=${pathToFileURL(join(import.meta.dirname, 'host-names.mjs')).href}`,
      HOST_NAMES: hosts.join(','),
      ...Object.fromEntries(given),
    },
    cwd: built[service.image?.replace('rubrica/', '') as Deployable],
    logFile: logFile(context, name),
    onParentDeath: 'SIGTERM',
  });
}

async function answersOk(url: string): Promise<boolean> {
  return fetch(url).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.ok;
    },
    () => false,
  );
}
