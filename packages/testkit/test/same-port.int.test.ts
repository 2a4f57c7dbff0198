import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'nats';
import { expect, test } from 'vitest';
import { binDirectory, scratchDirectory } from '../src/index.ts';
import { locateNatsServer, startNats } from '../src/servers/nats/index.ts';
import { freePort } from '../src/servers/processes/index.ts';

const names = ['one', 'two', 'three', 'four'];

test('nats-servers that wish for one port at the same moment are each reached at their own', async () => {
  await using scratch = await scratchDirectory('same-port');
  await using running = new AsyncDisposableStack();
  const [binary, port] = [await locateNatsServer({ binDirectory }), await freePort()];
  const start = async (serverName: string) => {
    const directory = join(scratch.path, serverName);
    await mkdir(directory);
    const logFile = join(directory, 'nats.log');
    const server = await startNats({ directory, binary, logFile, port, serverName });
    running.defer(server.stop);
    return server;
  };
  const servers = await Promise.all(names.map(start));
  const reached = servers.map(async ({ url }) => {
    const connection = await connect({ servers: url });
    const name = connection.info?.server_name;
    await connection.close();
    return name;
  });
  expect(await Promise.all(reached)).toEqual(names);
});
