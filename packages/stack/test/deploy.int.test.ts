import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadCheckpointVerifier, loadKeyring } from '@rubrica/process/keyring';
import { locateNatsServer } from '@rubrica/testkit/nats';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeSecrets, renewCertificates } from '../src/deploy/make-secrets.ts';
import {
  type Deployable,
  deployables,
  fileChecker,
  readDeployableSettings,
  readFileCheckerSettings,
} from '../src/deploy/read-deployable-settings.ts';
import { projectRoot } from '../src/setup/home.ts';
import { databaseServices, serviceNames } from '../src/setup/services.ts';
import {
  type Compose,
  type ComposeService,
  containers,
  copyOfDeploy,
  deployFolder,
  natsFiles,
  readCompose,
  variables,
} from './support/compose.ts';
import { renderEnvExample } from './support/env-example.ts';

const run = promisify(execFile);

async function copyForTest(): Promise<string> {
  const copy = await copyOfDeploy();
  onTestFinished(() => copy[Symbol.asyncDispose]());
  return copy.path;
}

/** What the deployment's owner writes. */
const addressesToFill = {
  FIRST_ADMINISTRATORS: 'ana@example.com,beto@example.com',
  BASE_URL: 'http://firmas.test',
  PKI_BASE_URL: 'http://pki.test',
  SANDBOX: 'true',
};

test('.env.example holds every setting of every service as its schema describes it', async () => {
  await expect(await renderEnvExample()).toMatchFileSnapshot(join(deployFolder, '.env.example'));
});

test.each(['bash', 'dash'])('a filled .env gives %s that sources it what compose reads', async (shell) => {
  const folder = await copyForTest();
  await makeSecrets(folder);
  const expected = await variables(join(folder, '.env'));
  const script = '. "$1" && env -0';
  // A bash without SHLVL whose input is a socket takes itself for a remote shell, and reads a file of its own.
  const args = ['-e', '-u', '-a', '-c', script, shell, join(folder, '.env')];
  const { stdout, stderr } = await run(shell, args, { env: { PATH: process.env.PATH, SHLVL: '2' } });
  const sourced = stdout
    .split('\0')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  expect(Object.fromEntries(sourced)).toMatchObject(expected);
  expect(expected.MAIL_FROM).toBe('Rubrica <no-reply@example.org>');
  expect(stderr).toBe('');
});

describe('the compose file', () => {
  let text: string;
  let compose: Compose;
  beforeAll(async () => {
    text = await readFile(join(deployFolder, 'compose.yaml'), 'utf8');
    compose = await readCompose(deployFolder);
  });

  test('asks for nothing that .env.example does not name, and the example names nothing else', async () => {
    const asked = new Set(Array.from(text.matchAll(/\$\{([A-Z_]+)/g), ([, name]) => name));
    expect([...asked].sort()).toEqual(
      Object.keys(await variables(join(deployFolder, '.env.example'))).sort(),
    );
  });

  test.each(deployables)('gives %s all it requires and only settings it has', async (service) => {
    const { running } = await readDeployableSettings(service);
    expectSettings(compose.services[service], running, service);
  });

  test.each(serviceNames)(
    'gives the provisioning of %s all it requires, and no running service an owner',
    async (service) => {
      const { running, provisioning } = await readDeployableSettings(service);
      const step = compose.services[`${service}-provision`];
      if (provisioning.length === 0) return expect(step).toBeUndefined();
      expectSettings(
        step,
        [...provisioning, ...running.map((row) => ({ ...row, required: false }))],
        service,
      );
      expect(compose.services[service]?.environment).not.toHaveProperty('DATABASE_OWNER_URL');
      expect(compose.services[service]?.environment).not.toHaveProperty('NATS_PROVISION_PASSWORD');
    },
  );

  test('gives the file checker no network, no secret and no rights, and shares one folder with intake', async () => {
    const { [fileChecker]: checker, intake } = compose.services;
    const rows = await readFileCheckerSettings();
    const given = Object.keys(checker?.environment ?? {});
    expect(given.filter((env) => !rows.some((row) => row.env === env))).toEqual([]);
    expect(rows.filter(({ env, required }) => required && !given.includes(env))).toEqual([]);
    expect(rows.filter(({ env, secret }) => secret && given.includes(env))).toEqual([]);
    expect(checker).toMatchObject({
      network_mode: 'none',
      user: '1001:1000',
      group_add: [],
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: ['file-checker:/run/file-checker'],
      mem_limit: '2g',
      cpus: 2,
      pids_limit: 128,
    });
    expect(checker?.secrets).toBeUndefined();
    expect(intake?.volumes).toContain('file-checker:/run/file-checker');
    expect(intake?.environment?.FILE_CHECKER_ADDRESS).toBe(checker?.environment?.FILE_CHECKER_ADDRESS);
  });

  test('drops every capability that a container can do without, and lets none gain rights', () => {
    // Both start as root: one gives files away and becomes another user, the other reads a key of another user.
    const added: Readonly<Record<string, readonly string[]>> = {
      postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
      nats: ['DAC_OVERRIDE'],
    };
    for (const [name, { cap_drop, cap_add, security_opt }] of Object.entries(compose.services)) {
      expect([cap_drop, security_opt], name).toEqual([['ALL'], ['no-new-privileges:true']]);
      expect(cap_add, name).toEqual(added[name]);
    }
  });

  test('connects each container to those that it speaks to, and to no other', () => {
    const networksOf = ({ networks = [], network_mode }: ComposeService) =>
      network_mode ?? (Array.isArray(networks) ? networks : Object.keys(networks)).join(' ');
    const found = Object.entries(compose.services).map(([name, service]) => [name, networksOf(service)]);
    expect(Object.fromEntries(found)).toEqual({
      postgres: 'database',
      'database-roles': 'database',
      nats: 'bus',
      'intake-provision': 'bus database',
      'generation-provision': 'bus database',
      'terms-provision': 'database',
      'notifier-provision': 'bus database',
      intake: 'bus database outside',
      'file-checker': 'none',
      generation: 'bus database outside',
      terms: 'bus database',
      notifier: 'bus database outside',
      gateway: 'bus default',
      console: 'default',
    });
    const { bus, database, outside } = compose.networks;
    expect([bus?.internal, database?.internal]).toEqual([true, true]);
    expect(outside?.driver_opts).toEqual({ 'com.docker.network.bridge.enable_icc': 'false' });
  });

  test.each([
    ['postgres', /^DATABASE_/],
    ['nats', /^NATS_(STREAMS|PROVISION)_USER$/],
    ['gateway', /^GATEWAY_URL$/],
  ])('lets everybody reach %s whose settings name it', (host, setting) => {
    const networksOf = ({ networks = [] }: ComposeService = {}) =>
      Array.isArray(networks) ? networks : Object.keys(networks);
    const callers = Object.entries(compose.services).filter(([, { environment = {} }]) =>
      Object.keys(environment).some((env) => setting.test(env)),
    );
    expect(callers.length).toBeGreaterThan(0);
    for (const [name, service] of callers) {
      const shared = networksOf(service).filter((one) => networksOf(compose.services[host]).includes(one));
      expect(shared.length, name).toBeGreaterThan(0);
    }
  });

  test('names only secrets, volumes and services that it defines', () => {
    for (const service of Object.values(compose.services)) {
      for (const secret of service.secrets ?? []) {
        expect(compose.secrets).toHaveProperty([typeof secret === 'string' ? secret : secret.source]);
      }
      for (const name of Object.keys(service.depends_on ?? {}))
        expect(compose.services).toHaveProperty([name]);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        if (!source.startsWith('.')) expect(compose.volumes).toHaveProperty([source]);
      }
    }
  });

  test('lets each service have its own keys and nobody else’s', () => {
    for (const service of serviceNames) {
      const sources = compose.services[service]?.secrets?.map((one) =>
        typeof one === 'string' ? one : one.source,
      );
      expect(sources?.filter((name) => name.endsWith('-keys'))).toEqual([`${service}-keys`]);
    }
  });

  function expectSettings(
    service: ComposeService | undefined,
    rows: ReadonlyArray<{ env: string; required: boolean }>,
    name: Deployable,
  ): void {
    const given = Object.keys(service?.environment ?? {});
    const missing = rows
      .filter(({ env, required }) => required && !given.includes(env))
      .map(({ env }) => env);
    expect(missing, `what ${name} requires`).toEqual([]);
    // Shared by all through one anchor; a service without the setting does not read it.
    const shared = [
      'SANDBOX',
      'BASE_URL',
      'TIME_ZONE',
      'LOG_LEVEL',
      'MANAGEMENT_PORT',
      'NATS_URL',
      'NATS_USER',
    ];
    const known = new Set([
      ...rows.map(({ env }) => env),
      ...shared,
      'NATS_PASSWORD',
      'KEYS_FILE',
      'PEERS_FILE',
    ]);
    expect(given.filter((env) => !known.has(env) && !env.startsWith('NATS_PROVISION_'))).toEqual([]);
  }
});

describe('secrets of a deployment', () => {
  test('are all made, none twice, and fill every password of .env', async () => {
    const folder = await copyForTest();
    await makeSecrets(folder);
    const compose = await readCompose(folder);
    const files = Object.values(compose.secrets).map(({ file }) => file.replace('secrets/', ''));
    expect((await readdir(join(folder, 'secrets'))).sort()).toEqual([...files, 'authorities', 'tls'].sort());
    expect((await stat(join(folder, 'secrets'))).mode & 0o077).toBe(0);
    expect((await stat(join(folder, '.env'))).mode & 0o077).toBe(0);
    const env = await variables(join(folder, '.env'));
    const passwords = Object.entries(env).filter(([name]) => name.endsWith('_PASSWORD'));
    expect(passwords.length).toBeGreaterThan(10);
    for (const [, value] of passwords) expect(value).toMatch(/^r[0-9a-f]{48}$/);
    expect(new Set(passwords.map(([, value]) => value)).size).toBe(passwords.length);
    // Who decides is for the owner of a deployment to say: two people, who choose their passwords themselves.
    expect(env.FIRST_ADMINISTRATORS).toBe('');
  });

  test.each(databaseServices)(
    'let %s sign its audit log with a key that signs nothing else',
    async (service) => {
      const folder = join(await copyForTest(), 'secrets');
      await makeSecrets(join(folder, '..'));
      const keysFile = join(folder, `${service}.json`);
      const peersFile = join(folder, 'peers.json');
      const { keys } = JSON.parse(await readFile(keysFile, 'utf8')) as {
        keys: { use: string; x?: string; k?: string }[];
      };
      expect(keys.map(({ use }) => use).sort()).toEqual(['audit', 'enc', 'mac', 'sig']);
      expect(new Set(keys.map(({ x, k }) => x ?? k)).size).toBe(4);
      expect(await readFile(peersFile, 'utf8')).not.toContain('"mac"');
      const keyring = await loadKeyring({ keysFile, peersFile }, service);
      const jws = keyring.signCheckpoint({ seq: 1 });
      const auditor = await loadCheckpointVerifier(peersFile);
      expect(auditor.verifyCheckpoint(jws, service).claims).toEqual({ iss: service, seq: 1 });
      const asStatement = { type: 'rubrica-call+jwt', issuer: service };
      expect(() => keyring.verifyStatement(jws, asStatement)).toThrow(
        expect.objectContaining({ fault: 'malformed' }),
      );
    },
  );

  test('give each container its own certificates, and let no container have what certifies', async () => {
    const folder = await copyForTest();
    await makeSecrets(folder);
    const { services } = await readCompose(folder);
    for (const [name, { volumes = [] }] of Object.entries(services)) {
      const mounted = volumes.filter((volume) => volume.includes('/secrets/'));
      // These come to neither of the two servers.
      const has = !['console', fileChecker].includes(name);
      expect(mounted, name).toEqual(has ? [`./secrets/tls/${name}:/run/tls:ro`] : []);
    }
    const keys = async (name: string) => {
      const files = await readdir(join(folder, 'secrets', 'tls', name));
      return files.filter((file) => file.endsWith('.key')).sort();
    };
    expect(await keys('intake')).toEqual(['file-checker.key', 'intake-streams.key', 'intake.key']);
    expect(await keys(fileChecker)).toEqual(['file-checker.key']);
    expect(await keys('terms')).toEqual(['terms.key']);
    expect(await keys('intake-provision')).toEqual(['intake-provision.key']);
    expect(await keys('terms-provision')).toEqual([]);
    expect(await keys('database-roles')).toEqual([]);
    expect(await keys('nats')).toEqual(['route.key', 'server.key']);
  });

  test('certify services for clientAuth alone, by e-mail names, and servers by their host names', async () => {
    const folder = await copyForTest();
    await makeSecrets(folder);
    const certificate = async (name: string) =>
      new X509Certificate(await readFile(join(folder, 'secrets', name), 'utf8'));
    const intake = await certificate('tls/intake/intake-streams.pem');
    expect(intake.subjectAltName).toBe('email:intake-streams@bus.rubrica');
    // clientAuth, and of serverAuth (1.3.6.1.5.5.7.3.1) nothing.
    expect(intake.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(intake.checkIssued(await certificate('authorities/bus-clients.pem'))).toBe(true);
    const nats = await certificate('tls/nats/server.pem');
    expect([nats.subjectAltName, nats.keyUsage]).toEqual(['DNS:nats', ['1.3.6.1.5.5.7.3.1']]);
    const postgres = await certificate('tls/postgres/server.pem');
    expect([postgres.subjectAltName, postgres.keyUsage]).toEqual(['DNS:postgres', ['1.3.6.1.5.5.7.3.1']]);
    expect(postgres.checkIssued(await certificate('authorities/postgres.pem'))).toBe(true);
    expect(postgres.checkIssued(await certificate('authorities/bus-servers.pem'))).toBe(false);
  });

  test('are readable for their owner, and for the containers’ group where a container reads them', async () => {
    const folder = await copyForTest();
    const files = await makeSecrets(folder);
    const env = await variables(join(folder, '.env'));
    expect(env.SECRETS_GID).toBe(String(process.getgid?.()));
    const secrets = await readdir(join(folder, 'secrets'), { recursive: true, withFileTypes: true });
    for (const entry of secrets) {
      const path = join(entry.parentPath, entry.name);
      const { mode } = await stat(path);
      const isShared =
        !/\/(authorities|nats|postgres)(\/|$)/.test(path) && path !== join(folder, 'secrets', 'tls');
      const [file, directory] = isShared ? [0o640, 0o750] : [0o600, 0o700];
      expect((mode & 0o777).toString(8), path).toBe((entry.isDirectory() ? directory : file).toString(8));
    }
    expect(files.length).toBeGreaterThan(15);
  });

  test('renew certificates by the authorities that are there, and not without them', async () => {
    const folder = await copyForTest();
    await makeSecrets(folder);
    const certificate = async (name: string) =>
      new X509Certificate(await readFile(join(folder, 'secrets', name), 'utf8'));
    const before = await certificate('tls/intake/intake.pem');
    const keys = await readFile(join(folder, 'secrets', 'intake.json'), 'utf8');
    await renewCertificates(folder);
    const after = await certificate('tls/intake/intake.pem');
    expect(after.serialNumber).not.toBe(before.serialNumber);
    expect(after.checkIssued(await certificate('authorities/bus-clients.pem'))).toBe(true);
    expect(await readFile(join(folder, 'secrets', 'intake.json'), 'utf8')).toBe(keys);
    await rm(join(folder, 'secrets', 'authorities', 'bus-clients.key'));
    await expect(renewCertificates(folder)).rejects.toThrow(/bus-clients.key is not there/);
    expect((await certificate('tls/intake/intake.pem')).serialNumber).toBe(after.serialNumber);
  });

  test('renew certificates also where a deployment of before has no authority of the file checker', async () => {
    const folder = await copyForTest();
    await makeSecrets(folder);
    for (const path of ['authorities/file-checker.pem', 'authorities/file-checker.key', 'tls/file-checker'])
      await rm(join(folder, 'secrets', path), { recursive: true });
    await renewCertificates(folder);
    const certificate = async (name: string) =>
      new X509Certificate(await readFile(join(folder, 'secrets', name), 'utf8'));
    const authority = await certificate('authorities/file-checker.pem');
    const [server, client] = [
      await certificate('tls/file-checker/file-checker.pem'),
      await certificate('tls/intake/file-checker.pem'),
    ];
    expect([server.checkIssued(authority), client.checkIssued(authority)]).toEqual([true, true]);
    expect([server.keyUsage, client.keyUsage]).toEqual([['1.3.6.1.5.5.7.3.1'], ['1.3.6.1.5.5.7.3.2']]);
  });

  test('are never replaced', async () => {
    const folder = await copyForTest();
    await makeSecrets(folder);
    const before = await readFile(join(folder, 'secrets', 'intake.json'), 'utf8');
    await expect(makeSecrets(folder)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(join(folder, 'secrets', 'intake.json'), 'utf8')).toBe(before);
  });

  test.each([
    ['nats-server.conf', {}],
    ['cluster.conf', { NATS_SERVER_NAME: 'nats-1', NATS_ROUTES: '["nats-route://nats-1:6222"]' }],
  ])('suit nats-server: it takes %s of a deployment', async (file, more) => {
    const folder = await copyForTest();
    await makeSecrets(folder);
    const binary = await locateNatsServer({ binDirectory: join(projectRoot, '.rubrica', 'bin') });
    const nats = (await containers(folder, addressesToFill)).get('nats');
    if (nats === undefined) throw new Error('compose.yaml has no nats');
    const config = await natsFiles(nats, join(folder, 'here'), file);
    const env = { ...nats.service.environment, ...more };
    const { stdout, stderr } = await run(binary, ['-t', '-c', config], { env });
    expect(stdout + stderr).toContain('configuration file');
    await expect(run(binary, ['-t', '-c', config], { env: more })).rejects.toThrow('NATS_GATEWAY_PASSWORD');
  });
});
