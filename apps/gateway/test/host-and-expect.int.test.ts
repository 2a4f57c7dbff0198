import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { linkedPartnerBody } from './support/bodies.ts';
import { testGateway } from './support/gateway.ts';
import { rawExchange } from './support/http.ts';
import { rawSocket } from './support/slow-socket.ts';

const registerPath = '/collector/linked-partner/request';

const gateway = await disposeAfterAll(testGateway({ BODY_LIMITS_BYTES: 'cancelLinkedPartner=2000' }));
const token = await gateway.token();

function ask(lines: readonly string[], target = '/health', version = '1.1'): Promise<string> {
  const head = [`GET ${target} HTTP/${version}`, ...lines, 'connection: close'];
  return rawExchange(gateway.port, `${head.join('\r\n')}\r\n\r\n`);
}

describe('the Host header', () => {
  it.each([
    ['missing', []],
    ['sent twice', ['host: a', 'host: a']],
    ['sent twice with two values', ['host: a', 'Host: b']],
    ['empty', ['host:']],
    ['with a blank', ['host: a b']],
    ['with a path', ['host: a/b']],
    ['with a user', ['host: me@a']],
    ['that is a URL', ['host: http://a']],
    ['with two values in one', ['host: a, b']],
    ['with a port that is none', ['host: a:b']],
    ['with an IPv6 address without brackets', ['host: ::1']],
    ['with brackets around what is no address', ['host: [a]']],
    ['with a percent sign alone', ['host: a%zz']],
  ])('%s is answered with 400', async (_what, lines) => {
    const exchange = await ask(lines);
    expect(exchange).toMatch(/^HTTP\/1.1 400 /);
    const body = JSON.parse(exchange.slice(exchange.indexOf('\r\n\r\n') + 4));
    expect(body).toMatchObject({ code: 'BODY_MALFORMED', status: 400, path: '/health' });
    expect(body.message).toContain('Host');
  });

  it('is asked for at any address, before anything else is', async () => {
    expect(await ask([], '/nowhere')).toMatch(/^HTTP\/1.1 400 /);
    expect(await ask(['host: a', 'host: b'], '/', '1.0')).toMatch(/^HTTP\/1.1 400 /);
  });

  it.each([
    'a',
    'api.example.com:443',
    '127.0.0.1:3000',
    '[::1]',
    '[2001:db8::1]:8443',
    'a:',
    'rubrica_gateway:80',
    'xn--and-6ma2c.example',
    'a%20b',
  ])('%s is taken', async (host) => {
    expect(await ask([`host: ${host}`])).toMatch(/^HTTP\/1.1 200 /);
  });

  it('may be missing in HTTP/1.0', async () => {
    expect(await ask([], '/health', '1.0')).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('Expect: 100-continue', () => {
  const head = (path: string, lines: readonly string[]) =>
    `${[`POST ${path} HTTP/1.1`, 'host: a', 'expect: 100-continue', ...lines].join('\r\n')}\r\n\r\n`;
  const json = 'content-type: application/json';
  const authorized = () => `authorization: Bearer ${token}`;

  it.each([
    ['401', registerPath, () => [json, 'content-length: 1000']],
    ['413', '/manager/linked-partner/cancel-request', () => [authorized(), json, 'content-length: 2001']],
    ['415', registerPath, () => [authorized(), 'content-type: text/plain', 'content-length: 1000']],
    ['404', '/nowhere', () => [json, 'content-length: 1000']],
    [
      '413',
      '/oauth/token',
      () => ['content-type: application/x-www-form-urlencoded', 'content-length: 100000'],
    ],
    ['413', '/pki/ocsp', () => ['content-type: application/ocsp-request', 'content-length: 100000']],
    [
      '401',
      '/collector/linked-partner/batch',
      () => ['content-type: application/x-ndjson', 'content-length: 10'],
    ],
  ])('before a %s of %s gets that and no 100, and the connection ends', async (status, path, lines) => {
    const exchange = await rawExchange(gateway.port, head(path, lines()));
    expect(exchange.match(/HTTP\/1.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
    expect(exchange.toLowerCase()).toContain('connection: close');
  });

  it.each([
    ['a registration', registerPath, 'application/json'],
    ['a batch', '/collector/linked-partner/batch', 'application/x-ndjson'],
  ])('gets 100 where the body of %s is read, once, and then the answer', async (_what, path, type) => {
    const body = `${JSON.stringify(linkedPartnerBody())}\n`;
    const lines = [authorized(), `content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`];
    const socket = rawSocket(gateway.port, head(path, [...lines, 'connection: close']));
    await expect.poll(() => socket.received()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.send(body);
    await expect.poll(() => socket.isClosed()).toBe(true);
    expect(socket.received().match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200']);
  });
});
