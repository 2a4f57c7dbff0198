import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { loadCheckpointVerifier, loadKeyring } from '@rubrica/process';
import { locateNatsServer } from '@rubrica/testkit/nats';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { makeSecrets } from '../src/deploy/make-secrets.ts';
import { projectRoot } from '../src/setup/home.ts';
import { databaseServices, serviceNames } from '../src/setup/services.ts';
import { renderEnvExample, settingsOf } from './support/env-example.ts';

const run = promisify(execFile);
const deploy = join(projectRoot, 'deploy');

interface ComposeService {
  readonly environment?: Record<string, string>;
  readonly secrets?: Array<string | { source: string }>;
  readonly depends_on?: Record<string, unknown>;
  readonly volumes?: string[];
}
interface Compose {
  readonly services: Record<string, ComposeService>;
  readonly secrets: Record<string, { file: string }>;
  readonly volumes: Record<string, unknown>;
}

async function copyOfDeploy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rubrica-deploy-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(deploy, folder, { recursive: true, filter: (path) => !/\/(secrets|\.env|config)$/.test(path) });
  return folder;
}

async function variables(file: string): Promise<Record<string, string>> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => /^[A-Z_]+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

test('.env.example holds every setting of every service as its schema describes it', async () => {
  await expect(await renderEnvExample()).toMatchFileSnapshot(join(deploy, '.env.example'));
});

describe('the compose file', () => {
  let text: string;
  let compose: Compose;
  beforeAll(async () => {
    text = await readFile(join(deploy, 'compose.yaml'), 'utf8');
    compose = parse(text, { merge: true }) as Compose;
  });

  test('asks for nothing that .env.example does not name, and the example names nothing else', async () => {
    const asked = new Set(Array.from(text.matchAll(/\$\{([A-Z_]+)/g), ([, name]) => name));
    expect([...asked].sort()).toEqual(Object.keys(await variables(join(deploy, '.env.example'))).sort());
  });

  test.each(serviceNames)('gives %s all it requires and only settings it has', async (service) => {
    const { running } = await settingsOf(service);
    expectSettings(compose.services[service], running, service);
  });

  test.each(serviceNames)(
    'gives the provisioning of %s all it requires, and no running service an owner',
    async (service) => {
      const { running, provisioning } = await settingsOf(service);
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
    name: ServiceName,
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
    const folder = await copyOfDeploy();
    const { administrators } = await makeSecrets(folder);
    const compose = parse(await readFile(join(folder, 'compose.yaml'), 'utf8'), { merge: true }) as Compose;
    const files = Object.values(compose.secrets).map(({ file }) => file.replace('secrets/', ''));
    expect((await readdir(join(folder, 'secrets'))).sort()).toEqual(files.sort());
    expect((await stat(join(folder, 'secrets'))).mode & 0o077).toBe(0);
    expect((await stat(join(folder, '.env'))).mode & 0o077).toBe(0);
    const env = await variables(join(folder, '.env'));
    const passwords = Object.entries(env).filter(([name]) => name.endsWith('_PASSWORD'));
    expect(passwords.length).toBeGreaterThan(10);
    for (const [, value] of passwords) expect(value).toMatch(/^r[0-9a-f]{48}$/);
    expect(new Set(passwords.map(([, value]) => value)).size).toBe(passwords.length);
    const seed = await readFile(join(folder, 'secrets', 'seed.json'), 'utf8');
    // What people accept, and who may ask, is for the owner of a deployment to say.
    expect(JSON.parse(seed)).toMatchObject({ terms: [], partners: [] });
    expect(administrators).toHaveLength(2);
    expect(JSON.parse(seed).operators).toEqual(
      administrators.map((one) => expect.objectContaining({ ...one, role: 'admin' })),
    );
  });

  test.each(databaseServices)(
    'let %s sign its audit log with a key that signs nothing else',
    async (service) => {
      const folder = join(await copyOfDeploy(), 'secrets');
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
      await expect(keyring.verifyIdentity(jws, service)).rejects.toMatchObject({ fault: 'malformed' });
    },
  );

  test('are never replaced', async () => {
    const folder = await copyOfDeploy();
    await makeSecrets(folder);
    const before = await readFile(join(folder, 'secrets', 'intake.json'), 'utf8');
    await expect(makeSecrets(folder)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(join(folder, 'secrets', 'intake.json'), 'utf8')).toBe(before);
  });

  test('suit nats-server: it takes the deployment’s configuration as it stands', async () => {
    const folder = await copyOfDeploy();
    await makeSecrets(folder);
    const binary = await locateNatsServer({ binDirectory: join(projectRoot, '.rubrica', 'bin') });
    const config = join(folder, 'nats', 'nats-server.conf');
    const env = await variables(join(folder, '.env'));
    const { stdout, stderr } = await run(binary, ['-t', '-c', config], { env });
    expect(stdout + stderr).toContain('configuration file');
    await expect(run(binary, ['-t', '-c', config], { env: {} })).rejects.toThrow('NATS_GATEWAY_PASSWORD');
  });
});
