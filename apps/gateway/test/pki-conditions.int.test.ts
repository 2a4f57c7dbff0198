import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { testGateway } from './support/gateway.ts';
import { call, rawExchange } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());

const modified = 'Sun, 01 Mar 2026 17:00:00 GMT';
const der = Buffer.from('303e3fbfffefbefbf0', 'hex');
const ocspAddress = `/pki/ocsp/${encodeURIComponent(der.toString('base64'))}`;
const lastRequest = () => {
  const { input } = gateway.state.asked.findLast(({ path }) => path === 'pki.ocsp') ?? {};
  return (input as { request: string }).request;
};

describe.each(['/pki/root.cer', '/pki/issuing.crl', ocspAddress])('If-Modified-Since of %s', (path) => {
  const get = (headers: Record<string, string> = {}) => call(`${gateway.url}${path}`, { headers });

  it.each([
    ['its Last-Modified', modified],
    ['a later time', 'Tue, 03 Mar 2026 00:00:00 GMT'],
    ['the form of RFC 850', 'Sunday, 01-Mar-26 17:00:00 GMT'],
    ['the form of asctime', 'Sun Mar  1 17:00:00 2026'],
  ])('with %s is answered with 304', async (_what, since) => {
    const answer = await get({ 'if-modified-since': since });
    expect([answer.status, answer.text]).toEqual([304, '']);
    expect(answer.headers.get('last-modified')).toBe(modified);
    expect(answer.headers.get('etag')).toMatch(/^"/);
    expect(answer.headers.get('cache-control')).toContain('max-age=');
  });

  it.each([
    ['an earlier time', 'Sun, 01 Mar 2026 16:59:59 GMT'],
    ['what is no date', 'yesterday'],
    ['a number', '1999999999'],
    ['another form', '2027-03-01T17:00:00Z'],
  ])('with %s is answered in full', async (_what, since) => {
    const answer = await get({ 'if-modified-since': since });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('last-modified')).toBe(modified);
  });

  it('counts for nothing beside If-None-Match', async () => {
    expect((await get({ 'if-modified-since': modified, 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('an OCSP request in the address', () => {
  it.each([
    ['as base64url', `/pki/ocsp/${der.toString('base64url')}`],
    ['after two slashes', `/pki/ocsp//${encodeURIComponent(der.toString('base64'))}`],
    ['with its own slashes, after three', `/pki/ocsp///${der.toString('base64')}`],
    ['in absolute-form', `http://pki.example${ocspAddress}`],
    [
      'in absolute-form with a port, as base64url after two slashes',
      `HTTP://a:80/pki/ocsp//${der.toString('base64url')}`,
    ],
  ])('%s is handed on like the standard form', async (_what, target) => {
    const exchange = await rawExchange(
      gateway.port,
      `GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
    );
    expect(exchange).toMatch(/^HTTP\/1.1 200 /);
    expect(exchange).toContain('application/ocsp-response');
    expect(Buffer.from(lastRequest(), 'base64')).toEqual(der);
  });

  it('and any other call may be in absolute-form; its errors tell the path alone', async () => {
    const get = (target: string) =>
      rawExchange(gateway.port, `GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    expect(await get('http://a/health?x=1')).toMatch(/^HTTP\/1.1 200 /);
    expect(await get('https://a')).toMatch(/^HTTP\/1.1 (200|30\d) /);
    const secret = 'x'.repeat(43);
    const refused = await get(`http://a/review/evidence/${secret}`);
    expect(refused).toContain('"path":"/review/evidence/{token}"');
    expect(refused).not.toContain(secret);
  });
});
