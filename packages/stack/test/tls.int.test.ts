import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect as connectSocket, createServer } from 'node:net';
import { join } from 'node:path';
import { processesOnBus, toCertificateUser } from '@rubrica/contracts/messages/accounts';
import { disposeAfterAll, scratchDirectory, testNats } from '@rubrica/testkit';
import { createTransportAuthority, type IssuedCertificate } from '@rubrica/testkit/certificates';
import { connect } from 'nats';
import { describe, expect, it } from 'vitest';
import { makeTransport } from '../src/setup/transport.ts';
import { busConfiguration } from '../src/stack/servers.ts';

const owned = await disposeAfterAll(new AsyncDisposableStack());

const { path } = owned.use(await scratchDirectory('bus-tls'));
const transport = await makeTransport(path);
const nats = owned.use(
  await testNats({ extraConfig: await busConfiguration({ passwords: everyone() }, transport) }),
);

/** Who has a password. */
function everyone(): Record<string, string> {
  return Object.fromEntries(processesOnBus.map((user) => [user, `${user}-password`]));
}

const ownFile = (name: string) => readFile(join(transport.busDirectory, name), 'utf8');
const ofUser = async (user: string): Promise<IssuedCertificate> => ({
  certificate: await ownFile(`${user}.pem`),
  key: await ownFile(`${user}.key`),
});

/** Whom nats-server takes the connection for: who may publish to what only the gateway may. */
async function connecting(
  shown: IssuedCertificate | undefined,
  {
    // By the name that the server knows: all that keeps an attacker out is the certificate.
    user = toCertificateUser('intake'),
    password = 'intake-password',
    ca,
    port = nats.port,
  }: { user?: string; password?: string; ca?: string; port?: number } = {},
): Promise<string> {
  const connection = await connect({
    servers: `nats://localhost:${port}`,
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

  it("lets no web server's certificate in that another authority made for DNS:intake", async () => {
    const shared = await createTransportAuthority('An authority for all servers');
    for (const purpose of ['serverAuth', 'clientAuth', 'route'] as const) {
      const web = await shared.issue(purpose, { dnsNames: ['intake'], emails: ['intake@bus.rubrica'] });
      await expect(connecting(web), purpose).rejects.toThrow();
    }
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

  it("lets no service in by its own certificate and another's name and password", async () => {
    const another = { user: toCertificateUser('gateway'), password: 'gateway-password' };
    await expect(connecting(await ofUser('intake'), another)).rejects.toThrow('Authorization');
  });

  it('lets nobody in with a stolen certificate alone', async () => {
    await expect(connecting(await ofUser('intake'), { password: 'wrong' })).rejects.toThrow();
  });

  it('is refused by a service whose server is of another authority', async () => {
    const { certificate } = await createTransportAuthority('Rubrica bus servers');
    await expect(connecting(await ofUser('intake'), { ca: certificate })).rejects.toThrow();
  });

  it('is refused by a service whose server has another name', async () => {
    const other = join(owned.use(await scratchDirectory('misnamed')).path, 'tls');
    const misnamed = await makeTransport(other, { dnsNames: ['nats.elsewhere.test'] });
    const extraConfig = await busConfiguration({ passwords: everyone() }, misnamed);
    const elsewhere = owned.use(await testNats({ extraConfig }));
    const files = (name: string) => readFile(join(misnamed.busDirectory, name), 'utf8');
    const shown = { certificate: await files('intake.pem'), key: await files('intake.key') };
    const ca = await files('ca.pem');
    await expect(connecting(shown, { ca, port: elsewhere.port })).rejects.toThrow(/altnames/);
  });

  it.each([
    ['has no TLS', { tls_required: false }],
    ['says that TLS is for whoever wants it, and cannot', { tls_required: false, tls_available: true }],
  ])('gives no password to a server that %s', async (_, says) => {
    const heard: string[] = [];
    const impostor = createServer((socket) => {
      socket.on('error', () => undefined).setEncoding('latin1');
      socket.on('data', (text: string) => {
        heard.push(text);
        socket.destroy();
      });
      socket.write(
        `INFO ${JSON.stringify({ server_id: 'X', version: '2.10.27', proto: 1, max_payload: 1e6, ...says })}\r\n`,
      );
    });
    await once(impostor.listen(0, '127.0.0.1'), 'listening');
    owned.defer(() => void impostor.close());
    const { port } = impostor.address() as AddressInfo;
    await expect(connecting(await ofUser('intake'), { port })).rejects.toThrow();
    expect(heard.join('')).not.toContain('password');
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
