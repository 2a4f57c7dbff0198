import { describe, expect, it } from 'vitest';
import { encodeBase32, findStep, formatOtpauthUri } from './totp.ts';

const secret = Buffer.from('12345678901234567890');
// RFC 4226, appendix D.
const codes = ['755224', '287082', '359152', '969429', '338314'];

describe('a one-time code', () => {
  // RFC 6238, appendix B, SHA-1; six digits are the last six of its eight.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('is that of the RFC at %i', (seconds, eight) => {
    const now = new Date(seconds * 1_000);
    expect(findStep(secret, eight.slice(2), { now, after: 0 })).toBe(Math.floor(seconds / 30));
  });

  const now = new Date(59_000);
  it.each([
    ['of the step', 1, 1],
    ['of the one before', 0, undefined],
    ['of the one after', 2, 2],
    ['of two after', 3, undefined],
  ])('%s is judged by the clock of the server', (_what, step, found) => {
    expect(findStep(secret, codes[step] ?? '', { now, after: 0 })).toBe(found);
  });

  it('is taken once, and none that is older than one that was taken', () => {
    const [, one = '', two = ''] = codes;
    expect(findStep(secret, two, { now, after: 1 })).toBe(2);
    expect(findStep(secret, two, { now, after: 2 })).toBeUndefined();
    expect(findStep(secret, one, { now, after: 2 })).toBeUndefined();
  });
});

// RFC 4648, section 10, without padding.
it.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %j', (text, encoded) => {
  expect(encodeBase32(Buffer.from(text))).toBe(encoded);
});

it('an app is told whose secret it is', () => {
  expect(formatOtpauthUri(secret, { issuer: 'Firma Ya', account: 'a@b.ec' })).toBe(
    'otpauth://totp/Firma%20Ya:a%40b.ec?issuer=Firma%20Ya&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
  );
});
