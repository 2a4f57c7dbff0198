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
  /** Folder of its streams; it may be emptied while the server is stopped. */
  readonly store: string;
}

export interface TestNatsCluster extends AsyncDisposable {
  readonly members: readonly NatsMember[];
  /** Addresses of all servers, in the format of `NATS_URL`. */
  readonly url: string;
  /** Ends all servers, deletes their streams, and starts them again. */
  empty(): Promise<void>;
}

/** Starts three nats-servers on loopback as one cluster with JetStream, in separate folders. */
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
  const members = await Promise.all(routes.map(start));
  const beginAnew = async () => {
    await Promise.all(members.map((member) => member.kill()));
    for (const { store } of members) await rm(store, { recursive: true, force: true });
    await Promise.all(members.map((member) => member.restart()));
  };
  const agree = async () => {
    for (let attempt = 1; !(await placesEverywhere(members)); attempt += 1) {
      if (attempt === attempts)
        throw new Error(`of ${attempts} clusters none placed a stream on all servers`);
      await beginAnew();
    }
  };
  await agree();
  return {
    members,
    url: members.map(({ url }) => url).join(','),
    async empty() {
      await beginAnew();
      await agree();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(members.map((member) => member.kill()));
      await scratch[Symbol.asyncDispose]();
    },
  };
}

const attempts = 5;

/**
 * Checks if all servers accept streams. New servers agree within seconds or, in one of some thirty cases, never.
 * nats-server 2.10 then has no leader, or leaves one server out of the group that places streams, because its vote came
 * after the deciding one.
 */
async function placesEverywhere(members: readonly NatsMember[]): Promise<boolean> {
  const everywhere = { name: 'PROBE', subjects: ['probe'], num_replicas: members.length };
  const connection = await connect({ servers: members.map(({ url }) => url) });
  try {
    const manager = await connection.jetstreamManager({ checkAPI: false, timeout: 2_000 });
    const place = async () => (await manager.streams.add(everywhere)).config.name;
    await pollFor(place, { deadlineMs: 20_000 });
    return await pollFor(() => manager.streams.delete(everywhere.name), { deadlineMs: 20_000 });
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}
