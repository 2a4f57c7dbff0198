import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { services } from '@rubrica/contracts/shared/enumerations';
import { scratchDirectory, type TestNats, testNats } from '@rubrica/testkit';
import { createTransportAuthority, type IssuedCertificate } from '@rubrica/testkit/certificates';
import { busAuthorization } from '@rubrica/testkit/nats';
import { connect } from 'nats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTransport, type Transport } from '../src/setup/transport.ts';
import { certified } from '../src/stack/servers.ts';

const owned = new AsyncDisposableStack();
let nats: TestNats;
let transport: Transport;

beforeAll(async () => {
  const { path } = owned.use(await scratchDirectory('bus-tls'));
  transport = await makeTransport(path);
  const steps = ['intake', 'generation', 'notifier'].map((name) => `${name}-provision`);
  const users = [...services, ...steps];
  const passwords = Object.fromEntries(users.map((user) => [user, `${user}-password`]));
  nats = owned.use(
    await testNats({ extraConfig: await certified(await busAuthorization({ passwords }), transport) }),
  );
});
afterAll(() => owned.disposeAsync());

const ownFile = (name: string) => readFile(join(transport.busDirectory, name), 'utf8');
const ofUser = async (user: string): Promise<IssuedCertificate> => ({
  certificate: await ownFile(`${user}.pem`),
  key: await ownFile(`${user}.key`),
});

/** Whom nats-server takes the connection for: who may publish to what only the gateway may. */
async function connecting(
  shown: IssuedCertificate | undefined,
  {
    user = 'intake',
    password = 'intake-password',
    ca,
  }: { user?: string; password?: string; ca?: string } = {},
): Promise<string> {
  const connection = await connect({
    servers: `nats://localhost:${nats.port}`,
    user,
    pass: password,
    reconnect: false,
    timeout: 5_000,
    tls: {
      ca: ca ?? (await ownFile('ca.pem')),
      ...(shown === undefined ? {} : { cert: shown.certificate, key: shown.key }),
    },
  });
  await connection.flush();
  await connection.close();
  return 'connected';
}

describe('TLS to the bus', () => {
  it('lets a service in with its certificate and its password', async () => {
    expect(await connecting(await ofUser('intake'))).toBe('connected');
  });

  it('lets it in for streams with another certificate', async () => {
    expect(await connecting(await ofUser('intake-streams'))).toBe('connected');
  });

  it('lets nobody in without a certificate, whatever the password', async () => {
    await expect(connecting(undefined)).rejects.toThrow();
  });

  it("lets nobody in with a certificate of another authority, though it has the service's name", async () => {
    const other = await createTransportAuthority('Rubrica bus clients');
    const forged = await other.issue('clientAuth', { emails: ['intake@bus.rubrica'] });
    await expect(connecting(forged)).rejects.toThrow();
  });

  it("lets no server's certificate in, with the service's name or its e-mail name", async () => {
    const web = await transport.busClients.issue('serverAuth', { dnsNames: ['intake'] });
    await expect(connecting(web)).rejects.toThrow();
    const named = await transport.busClients.issue('serverAuth', { emails: ['intake@bus.rubrica'] });
    await expect(connecting(named)).rejects.toThrow();
  });

  it('takes no DNS name for a user', async () => {
    const machine = await transport.busClients.issue('clientAuth', { dnsNames: ['intake'] });
    await expect(connecting(machine)).rejects.toThrow();
  });

  it("lets no service in as another, even with the other's password", async () => {
    await expect(connecting(await ofUser('gateway'))).rejects.toThrow();
  });

  it('lets nobody in with a stolen certificate alone', async () => {
    await expect(connecting(await ofUser('intake'), { password: 'wrong' })).rejects.toThrow();
  });

  it('is refused by a service whose server is of another authority', async () => {
    const { certificate } = await createTransportAuthority('Rubrica bus servers');
    await expect(connecting(await ofUser('intake'), { ca: certificate })).rejects.toThrow();
  });

  it('answers nothing that is not encrypted', async () => {
    const socket = connectSocket({ host: '127.0.0.1', port: nats.port });
    let said = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('\r\n'))
        socket.write('CONNECT {"user":"intake","pass":"intake-password"}\r\nPING\r\n');
    });
    socket.on('error', () => undefined);
    await once(socket, 'close');
    expect(said).toContain('"tls_required":true');
    expect(said).not.toContain('PONG');
  });
});
