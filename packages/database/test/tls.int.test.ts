import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { disposeAfterAll, scratchDirectory, type TestPostgres, testPostgres } from '@rubrica/testkit';
import { createTransportAuthority } from '@rubrica/testkit/certificates';
import { describe, expect, it } from 'vitest';
import { createDatabase } from '../src/connection/index.ts';

const owned = await disposeAfterAll(new AsyncDisposableStack());
const logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  debug: () => undefined,
};
const servers: Record<'named' | 'misnamed', TestPostgres> = {} as never;

const { path: folder } = owned.use(await scratchDirectory('tls'));
const [authority, other] = [await createTransportAuthority('ours'), await createTransportAuthority('other')];
const [authorityFile, otherAuthorityFile] = [join(folder, 'ca.pem'), join(folder, 'other-ca.pem')];
await writeFile(authorityFile, authority.certificate);
await writeFile(otherAuthorityFile, other.certificate);
const start = async (name: string) => {
  const issued = await authority.issue('serverAuth', { dnsNames: [name] });
  // What the test harness itself waits with knows the server's authority, and looks at no name.
  return owned.use(await testPostgres({ tls: { ...issued, authority: authority.certificate } }));
};
servers.named = await start('localhost');
servers.misnamed = await start('postgres.elsewhere.test');

async function connecting(server: keyof typeof servers | { port: number }, query: string) {
  const { port } = typeof server === 'string' ? servers[server] : server;
  const url = `postgres://rubrica:test@localhost:${port}/postgres${query}`;
  await using database = createDatabase({ url, schema: 'public', entities: [], logger });
  const [row] = await database.execute<{ ssl: boolean; version: string }>(
    'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()',
  );
  return row;
}
const verified = (file: string) => `?sslmode=verify-full&sslrootcert=${file}`;

describe('TLS to PostgreSQL', () => {
  it('is there for who holds the server against its authority and its name', async () => {
    expect(await connecting('named', verified(authorityFile))).toEqual({ ssl: true, version: 'TLSv1.3' });
  });

  it('refuses a server of the same authority with another name', async () => {
    await expect(connecting('misnamed', verified(authorityFile))).rejects.toThrow(/altnames/);
  });

  it('refuses a server of another authority', async () => {
    await expect(connecting('named', verified(otherAuthorityFile))).rejects.toThrow(/certificate/);
  });

  it('gives no password to a server that says it has no TLS', async () => {
    const heard: Buffer[] = [];
    const impostor = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        heard.push(data);
        // To SSLRequest (PostgreSQL, "Message Formats"): N, not supported.
        socket.write('N');
      });
    });
    await once(impostor.listen(0, 'localhost'), 'listening');
    const { port } = impostor.address() as AddressInfo;
    await expect(connecting({ port }, verified(authorityFile))).rejects.toThrow(/SSL/);
    impostor.close();
    expect(Buffer.concat(heard)).toEqual(Buffer.from('0000000804d2162f', 'hex'));
  });

  it('is asked for by the server too: nothing plain gets to a password', async () => {
    await expect(connecting('named', '')).rejects.toThrow(/no encryption/);
  });
});
