import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { maxDocumentBytes } from '@rubrica/contracts/services/schemas/documents';
import type { Caller } from '@rubrica/contracts/shared/caller';
import { readNetworks } from '@rubrica/process/networks';
import { createTransportAuthority } from '@rubrica/testkit/certificates';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { servicesCalls } from './support/calls.ts';
import { notifierGround } from './support/ground.ts';
import type { NotifierOverrides, NotifierUnderTest } from './support/notifier.ts';

const intake: Caller = { kind: 'service', name: 'intake' };
const { start: newNotifier } = notifierGround();
const trusted = getCACertificates('default');
const server = createServer((request, response) => listener(request, response));
let listener: RequestListener;
let notifier: NotifierUnderTest;
let port: number;

/** The address is as a partner's identity provider has it: a name, over https, in a network that settings allow. */
const address = (path = '/') => `https://id.partner.example:${port}${path}`;
const ownNetwork = {
  policy: { allowLoopback: false, allowedNetworks: readNetworks(['127.0.0.1']) },
  budgetMs: 5_000,
  resolve: async (name: string) => [
    { address: name === 'id.partner.example' ? '127.0.0.1' : '10.0.0.7', family: 4 },
  ],
};

beforeAll(async () => {
  const authority = await createTransportAuthority('a test');
  const { key, certificate } = await authority.issue('serverAuth', { dnsNames: ['id.partner.example'] });
  server.setSecureContext({ key, cert: certificate });
  setDefaultCACertificates([...trusted, authority.certificate]);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  notifier = await newNotifier({ dialer: ownNetwork });
});
beforeEach(() => {
  listener = (_, response) => response.end('{"keys":[]}');
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await notifier?.[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

function read(url: string, at = notifier) {
  return servicesCalls(at, intake).documents.read({ url });
}

async function failureOf(url: string, overrides: NotifierOverrides['dialer']): Promise<string> {
  await using other = await newNotifier({ dialer: { ...ownNetwork, ...overrides } });
  const document = await read(url, other);
  return document.kind === 'failed' ? document.message : 'read';
}

test('intake is given the document of another server, asked without a cookie or a token', async () => {
  const seen: unknown[] = [];
  listener = ({ method, url, headers }, response) => {
    seen.push(method, url, Object.keys(headers).sort());
    response.end('{"keys":["ñ"]}');
  };
  expect(await read(address('/jwks?a=1'))).toEqual({ kind: 'read', text: '{"keys":["ñ"]}' });
  expect(seen).toEqual(['GET', '/jwks?a=1', ['accept', 'connection', 'host', 'user-agent']]);
});

test('no other service may ask for one', async () => {
  for (const name of ['gateway', 'generation', 'terms'] as const)
    await expect(
      servicesCalls(notifier, { kind: 'service', name }).documents.read({ url: address() }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a redirect is not followed, to a private address or to itself', async () => {
  const paths: unknown[] = [];
  for (const location of ['http://169.254.169.254/latest/meta-data', 'https://10.0.0.7/keys', '/other']) {
    listener = ({ url }, response) => {
      paths.push(url);
      response.writeHead(302, { location }).end('{"keys":[]}');
    };
    expect(await read(address('/jwks'))).toEqual({ kind: 'failed', message: 'the answer was 302' });
  }
  expect(paths).toEqual(['/jwks', '/jwks', '/jwks']);
});

test('a document of 64 KiB is read, one byte more is not, however much was promised', async () => {
  const send = (bytes: number) => {
    listener = (_, response) => response.end('x'.repeat(bytes));
    return read(address());
  };
  expect(await send(maxDocumentBytes)).toMatchObject({ kind: 'read' });
  const tooLong = { kind: 'failed', message: 'the document has more than 65536 bytes' };
  expect(await send(maxDocumentBytes + 1)).toEqual(tooLong);
  expect(await send(1024 * 1024)).toEqual(tooLong);
});

test('a server that never ends its document is left after the time', async () => {
  listener = (_, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(drip));
  };
  expect(await failureOf(address(), { ...ownNetwork, budgetMs: 400 })).toBe(
    'no complete answer within 0.4 s',
  );
});

test.each([
  ['a name that leads to a private address', () => 'https://inside.example/', /address that is not public/],
  ['a private address', () => 'https://10.0.0.7/', /private address/],
  ['the metadata of a cloud', () => 'https://169.254.169.254/', /link-local address/],
  ['plain http', () => `http://id.partner.example:${port}/`, /must be called with https/],
  ['a port of another service', () => 'https://id.partner.example:5432/', /port 5432/],
  ['another protocol', () => 'file:///etc/passwd', /no http or https address/],
  ['a user name', () => `https://a:b@id.partner.example:${port}/`, /user name/],
])('%s is not read', async (_what, url, message) => {
  let calls = 0;
  listener = (_, response) => {
    calls += 1;
    response.end('{}');
  };
  expect(await read(url())).toEqual({ kind: 'failed', message: expect.stringMatching(message) });
  expect(calls).toBe(0);
});

test('this machine is not read where settings allow nothing', async () => {
  const policy = { allowLoopback: false };
  expect(await failureOf(address(), { ...ownNetwork, policy })).toMatch(/address that is not public/);
});

test('a server whose certificate nobody has signed is not believed', async () => {
  setDefaultCACertificates(trusted);
  expect(await failureOf(address(), ownNetwork)).toMatch(/^TLS failed/);
});
