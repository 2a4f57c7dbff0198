import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pollFor } from '../poll-for.ts';
import { type Child, freePorts, MissingPiece, spawnChild } from '../servers/processes/index.ts';
import { scratchDirectory } from '../servers/scratch.ts';
import { cephConfig, cephUsers } from './ceph-config.ts';

const run = promisify(execFile);

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A process of the cluster that a test may kill and restart. */
export interface CephDaemon {
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it again with its data. */
  start(): Promise<void>;
}

export interface TestCeph extends AsyncDisposable {
  /** S3 without TLS, path style, region `us-east-1`. */
  readonly endpoint: string;
  /** Credentials of the user `rubrica`, who may create buckets. */
  readonly credentials: S3Credentials;
  /** Creates a user who may not create buckets; the policies of buckets determine its rights. */
  addUser(name: string): Promise<S3Credentials>;
  /** Three OSDs: two suffice, with seconds of silence after a death. */
  readonly osds: readonly CephDaemon[];
  readonly gateway: CephDaemon;
  /**
   * Runs `ceph …`.
   * @returns its output
   */
  ceph(...args: string[]): Promise<string>;
  /**
   * Runs `radosgw-admin …`, for quotas among other things.
   * @returns its output
   */
  admin(...args: string[]): Promise<string>;
}

const osdIds = [0, 1, 2] as const;
const programs = ['ceph-mon', 'ceph-mgr', 'ceph-osd', 'radosgw', 'ceph', 'radosgw-admin'] as const;

/**
 * Checks the installation.
 * @throws MissingPiece if Ceph is not installed
 */
function findCeph(): void {
  if (programs.every((name) => existsSync(`/usr/bin/${name}`))) return;
  throw new MissingPiece(
    'Ceph is not installed.',
    'Install it with: apt-get install -y --no-install-recommends ceph-mon ceph-mgr ceph-osd radosgw ceph-common',
  );
}

/**
 * Starts a small, separate Ceph on loopback: a monitor, a manager, three OSDs on files, a gateway for S3. The start
 * takes half a minute; it uses some 900 MB of memory.
 * @throws MissingPiece if Ceph is not installed
 */
export async function testCeph(): Promise<TestCeph> {
  findCeph();
  await using owned = new AsyncDisposableStack();
  const { path: folder } = owned.use(await scratchDirectory('ceph'));
  const cluster = await prepare(folder);
  const { tool, daemon, s3Port } = cluster;
  const endpoint = `http://127.0.0.1:${s3Port}`;
  const ceph = (...args: string[]) => tool('ceph', ...args);
  const admin = (...args: string[]) => tool('radosgw-admin', ...args);
  const addUser = async (name: string, ...args: string[]): Promise<S3Credentials> => {
    const keys = { accessKeyId: `AK${name.toUpperCase()}`, secretAccessKey: `SK${name.toUpperCase()}` };
    await admin('user', 'create', `--uid=${name}`, `--display-name=${name}`, ...keyArguments(keys), ...args);
    return keys;
  };
  const daemons = [daemon('ceph-mon', '-i', 'a'), daemon('ceph-mgr', '-i', 'a')];
  const osds = osdIds.map((id) => daemon('ceph-osd', '-i', String(id)));
  const gateway = daemon('radosgw', '-n', 'client.rgw');
  // Kills all at once: nothing of it is needed any more.
  owned.defer(async () => {
    await Promise.all([...daemons, ...osds, gateway].map((one) => one.kill()));
  });
  for (const one of daemons) await one.start();
  for (const id of osdIds) {
    const uuid = randomUUID();
    await ceph('osd', 'new', uuid, String(id));
    await tool('ceph-osd', '-i', String(id), '--mkfs', '--osd-uuid', uuid, '--no-mon-config');
    await ceph('osd', 'crush', 'add', `osd.${id}`, '1.0', `host=h${id}`, 'root=default');
    await osds[id]?.start();
  }
  await gateway.start();
  await pollFor(() => answers(endpoint), { what: 'the S3 gateway of Ceph answers', everyMs: 200 });
  const credentials = await addUser('rubrica');
  const held = owned.move();
  return {
    endpoint,
    credentials,
    addUser: (name) => addUser(name, '--max-buckets=-1'),
    osds,
    gateway: { ...gateway, start: () => startAnswering(gateway, endpoint) },
    ceph,
    admin,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function startAnswering(gateway: CephDaemon, endpoint: string): Promise<void> {
  await gateway.start();
  await pollFor(() => answers(endpoint), { what: 'the S3 gateway of Ceph answers again', everyMs: 200 });
}

function keyArguments({ accessKeyId, secretAccessKey }: S3Credentials): string[] {
  return [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`];
}

async function answers(endpoint: string): Promise<boolean> {
  return fetch(endpoint, { signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer.status < 500,
    () => false,
  );
}

/** Creates folders, settings, keys and the monitor's first map. */
async function prepare(folder: string) {
  for (const part of ['mon/a', 'mgr/a', 'run', 'log', 'rgw', ...osdIds.map((id) => `osd/${id}`)])
    await mkdir(join(folder, part), { recursive: true });
  const [monitorPort = 0, s3Port = 0, firstPort = 0] = await freePorts([undefined, undefined, undefined]);
  const clusterId = randomUUID();
  const config = join(folder, 'ceph.conf');
  await writeFile(config, cephConfig({ folder, clusterId, monitorPort, firstPort, s3Port }));
  const tool = async (command: string, ...args: string[]): Promise<string> => {
    const options = {
      cwd: folder,
      timeout: 120_000,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 1024 * 1024,
    } as const;
    return (await run(`/usr/bin/${command}`, ['-c', config, ...args], options)).stdout;
  };
  const plain = (command: string, ...args: string[]) =>
    run(`/usr/bin/${command}`, args, { cwd: folder, timeout: 60_000 });
  await plain('ceph-authtool', '--create-keyring', 'keyring');
  for (const [user, rights] of Object.entries(cephUsers)) {
    const caps = Object.entries(rights).flatMap(([of, what]) => ['--cap', of, what]);
    await plain('ceph-authtool', 'keyring', '--gen-key', '-n', user, ...caps);
  }
  await plain(
    'monmaptool',
    '--create',
    '--fsid',
    clusterId,
    '--addv',
    'a',
    `[v2:127.0.0.1:${monitorPort}]`,
    'monmap',
  );
  await tool('ceph-mon', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring');
  const daemon = (command: string, ...args: string[]): CephDaemon => {
    let child: Child | undefined;
    return {
      async start() {
        child = await spawnChild({
          command: `/usr/bin/${command}`,
          args: ['-c', config, ...args, '-f'],
          cwd: folder,
          logFile: join(folder, 'log', 'processes.log'),
          onParentDeath: 'SIGKILL',
        });
      },
      async kill() {
        await child?.stop({ signal: 'SIGKILL', deadlineMs: 5_000 });
      },
    };
  };
  return { tool, daemon, s3Port };
}
