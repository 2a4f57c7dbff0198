import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it, test } from 'vitest';
import { ocspBytes } from './support/fake-services.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());
gateway.state.scopes = ['status:read', 'certificates:revoke'];

function asked(path: string) {
  return gateway.state.asked.filter((one) => one.path === path);
}

async function revoke(body: unknown, token?: string) {
  return call(`${gateway.url}/manager/certificate/revoke`, { token: token ?? (await gateway.token()), body });
}

describe('a revocation', () => {
  it('goes to intake in the partner’s name and is answered with local dates', async () => {
    const answer = await revoke({ serialNumber: ' 4ab1 ', reason: 'keyCompromise', comment: '', extra: 1 });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      serialNumber: '4AB1',
      status: 'REVOKED',
      revocationReason: 'keyCompromise',
      revokedAt: '2026-03-01T12:00:00.000',
    });
    expect(asked('certificates.revoke').at(-1)).toMatchObject({
      input: { serialNumber: '4ab1', reason: 'keyCompromise' },
      caller: { kind: 'partner', clientId: 'sandbox-client' },
    });
  });

  it.each([
    [{ reason: 'superseded' }, ['serialNumber']],
    [{ serialNumber: '4AB1' }, ['reason']],
    [{ serialNumber: 'XY', reason: 'hold' }, ['serialNumber', 'reason']],
    [{ serialNumber: '4AB1', reason: 'certificateHold' }, ['reason']],
    [{ referenceTransaction: 'TX', reason: 'privilegeWithdrawn' }, ['reason']],
    [{}, ['serialNumber', 'reason']],
  ])('with the body %j is refused with all its faults, and calls no service', async (body, fields) => {
    const before = asked('certificates.revoke').length;
    const answer = await revoke(body);
    expect(answer.status).toBe(400);
    expect(answer.error().errors.map(({ field }) => field)).toEqual(fields);
    expect(asked('certificates.revoke')).toHaveLength(before);
  });

  it.each([
    ['FFFF', 404, 'CERTIFICATE_NOT_FOUND'],
    ['EEEE', 409, 'CERTIFICATE_ALREADY_REVOKED'],
  ])('of %s is %d, as intake says', async (serialNumber, status, code) => {
    const answer = await revoke({ serialNumber, reason: 'superseded' });
    expect([answer.status, answer.error().code]).toEqual([status, code]);
  });

  it('needs the scope certificates:revoke', async () => {
    const answer = await revoke({}, await gateway.token('status:read'));
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('scope="certificates:revoke"');
  });
});

describe('OCSP', () => {
  const url = () => `${gateway.url}/pki/ocsp`;
  const lastAsked = () =>
    asked('pki.ocsp')
      .map(({ input }) => (input as { request: string }).request)
      .at(-1) ?? 'nothing';

  test('by POST hands the bytes on and answers with the caching that generation allows', async () => {
    const body = new Uint8Array([0x30, 0, 0xff]);
    const answer = await fetch(url(), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/ocsp-request' },
    });
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(ocspBytes);
    expect(Buffer.from(lastAsked(), 'base64')).toEqual(Buffer.from(body));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/ocsp-response',
      'cache-control': 'max-age=4, public, no-transform, must-revalidate',
      etag: '"xyz"',
      'last-modified': 'Sun, 01 Mar 2026 17:00:00 GMT',
      expires: 'Mon, 02 Mar 2026 05:00:00 GMT',
    });
  });

  test.each([
    'application/ocsp-request; charset=utf-8',
    'application/octet-stream',
    'application/ocsp-request;',
    'application / ocsp-request',
    'ocsp',
    '',
  ])('by POST is answered whatever Content-Type says: %j', async (type) => {
    const body = new Uint8Array([0x30, 1, type.length]);
    const answer = await fetch(url(), { method: 'POST', body, headers: { 'content-type': type } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/ocsp-response']);
    expect(Buffer.from(lastAsked(), 'base64')).toEqual(Buffer.from(body));
  });

  test('by POST is answered without Content-Type', async () => {
    const answer = await fetch(url(), { method: 'POST', body: new Uint8Array([0x30, 0]) });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/ocsp-response']);
  });

  test('by GET takes base64 with its slashes, and is 304 where nothing has changed', async () => {
    const der = Buffer.alloc(120, 0xff);
    expect(der.toString('base64')).toContain('//');
    for (const text of [der.toString('base64'), encodeURIComponent(der.toString('base64'))]) {
      const answer = await fetch(`${url()}/${text}`);
      expect(answer.status).toBe(200);
      expect(Buffer.from(lastAsked(), 'base64')).toEqual(der);
    }
    const again = await call(`${url()}/${der.toString('base64')}`, {
      headers: { 'if-none-match': '"xyz"' },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('that must not be kept says so', async () => {
    const answer = await call(url(), { body: 'fresh' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('etag')).toBeNull();
  });

  test('asks generation each time: nothing is kept here', async () => {
    const before = asked('pki.ocsp').length;
    for (let i = 0; i < 3; i++) await call(`${url()}/MAA=`);
    expect(asked('pki.ocsp')).toHaveLength(before + 3);
  });

  test('hands garbage on too, so that it is answered in OCSP’s own words', async () => {
    expect((await call(`${url()}/n*t-base64`)).status).toBe(200);
    expect(lastAsked()).toBe('');
    expect((await call(url(), { body: 'garbage', headers: { 'content-type': 'text/plain' } })).status).toBe(
      200,
    );
  });

  test('larger than any request is 413', async () => {
    const answer = await call(url(), { body: 'x'.repeat(16 * 1024 + 1) });
    expect([answer.status, answer.error().code]).toEqual([413, 'BODY_TOO_LARGE']);
  });
});
