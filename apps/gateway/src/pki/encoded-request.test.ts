import { describe, expect, it } from 'vitest';
import { decodeRequest } from './encoded-request.ts';

const der = Buffer.from([0x30, 0xff, 0xef, 0xbe, 0xfb, 0xf0, 0x3f, 0xff]);
const base64 = der.toString('base64');

describe('the request in an address', () => {
  it.each([
    ['encoded', encodeURIComponent(base64)],
    ['with slashes and plusses as they are', base64],
    ['without padding', base64.replaceAll('=', '')],
    ['as base64url', der.toString('base64url')],
    ['after a slash more', `/${base64}`],
    ['with a query behind it', `${encodeURIComponent(base64)}?cache=no`],
  ])('is read %s', (_, text) => {
    expect(base64).toMatch(/\/.*=/);
    expect(decodeRequest(`/pki/ocsp/${text}`)).toEqual(der);
  });

  it.each(['', '%zz', '%00', 'a*b', 'MA==A', '=', 'MA===='.repeat(2)])('%s is none', (text) => {
    expect(decodeRequest(`/pki/ocsp/${text}`)).toBeUndefined();
  });
});
