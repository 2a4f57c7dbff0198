import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: a server is asked before anything of the bus is there
import { connect } from 'nats';
import { pollFor } from '../poll-for.ts';
import { locateNatsServer, type NatsServer, startNats } from './nats/index.ts';
import { freePorts } from './processes/index.ts';
import { binDirectory, scratchDirectory } from './scratch.ts';

export interface NatsMember extends NatsServer {
  readonly name: string;
  /** Where its streams lie; of a stopped one it may be emptied. */
  readonly store: string;
}

export interface TestNatsCluster extends AsyncDisposable {
  readonly members: readonly NatsMember[];
  /** All servers, as `NATS_URL` names them. */
  readonly url: string;
  /** Ends all servers, throws their streams away, and starts them again. */
  empty(): Promise<void>;
}

/** Three nats-servers on loopback that are one cluster with JetStream, in folders of their own. */
export async function testNatsCluster(
  options: { extraConfig?: string; store?: (index: number) => string } = {},
): Promise<TestNatsCluster> {
  const scratch = await scratchDirectory('nats-cluster');
  const binary = await locateNatsServer({ binDirectory });
  const routes = await freePorts([undefined, undefined, undefined]);
  const addresses = routes.map((port) => `nats-route://127.0.0.1:${port}`);
  const start = async (port: number, index: number): Promise<NatsMember> => {
    const name = `nats-${index + 1}`;
    const directory = options.store?.(index) ?? join(scratch.path, name);
    await mkdir(directory, { recursive: true });
    const server = await startNats({
      directory,
      binary,
      logFile: join(scratch.path, `${name}.log`),
      serverName: name,
      extraConfig: `${options.extraConfig ?? ''}
cluster { name: rubrica, listen: "127.0.0.1:${port}", no_advertise: true, routes: ${JSON.stringify(addresses)} }`,
    });
    return { ...server, name, store: join(directory, 'jetstream') };
  };
  const members = await lastAfterLeader(routes, start);
  return {
    members,
    url: members.map(({ url }) => url).join(','),
    async empty() {
      await Promise.all(members.map((member) => member.kill()));
      for (const { store } of members) await rm(store, { recursive: true, force: true });
      await lastAfterLeader(members, async (member) => {
        await member.restart();
        return member;
      });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(members.map((member) => member.kill()));
      await scratch[Symbol.asyncDispose]();
    },
  };
}

/**
 * Starts servers that have nothing: the last one once the others agree on a leader. Begun all at once, nats-server 2.10 leaves one
 * of three out of the group that places streams, in one of some thirty times and for good: its vote came after the one that
 * decided, and nobody adds it.
 */
async function lastAfterLeader<T>(
  all: readonly T[],
  start: (one: T, index: number) => Promise<NatsMember>,
): Promise<NatsMember[]> {
  const first = await Promise.all(all.slice(0, -1).map(start));
  await hasLeader(first.map(({ url }) => url));
  const last = await Promise.all(all.slice(-1).map((one) => start(one, first.length)));
  return [...first, ...last];
}

/** JetStream answers nothing before its servers agree on a leader. */
async function hasLeader(servers: string[]): Promise<void> {
  await pollFor(async () => {
    const connection = await connect({ servers });
    try {
      return await (await connection.jetstreamManager({ checkAPI: false })).getAccountInfo();
    } finally {
      await connection.close();
    }
  });
}
