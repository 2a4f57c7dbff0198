import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  makeIssuing,
  makeKey,
  makeRoot,
  makeSubscriberCertificate,
  makeSubscriberInput,
  parsed,
} from '../../test/fixtures.ts';
import { mutated } from '../../test/mutate.ts';
import { formatName, nameValue } from '../name/distinguished-name.ts';
import { subscriberTbs } from './build.ts';
import { parseCertificate, sameTbs } from './parse.ts';
import { formatSerial, serialFromRandom } from './serial.ts';

describe('a certificate taken apart', () => {
  it('gives back what it was built from', async () => {
    const issuing = await makeIssuing(await makeRoot());
    const key = makeKey('rsa');
    const input = makeSubscriberInput(issuing, key);
    const view = parsed(await makeSubscriberCertificate(issuing, key, input));
    expect(view.version).toBe(3);
    expect(Buffer.from(view.serial).equals(input.serial)).toBe(true);
    expect(view.notAfter.date).toEqual(input.validity.notAfter);
    expect(view.publicKey.details).toMatchObject({ kind: 'rsa', modulusBits: 2048, exponent: 65537n });
    expect(nameValue(view.subject, 'serialNumber')).toBe('IDCEC-1710034065');
    expect(formatName(view.issuer)).toBe('C=EC, O=Rubrica, CN=Test Issuing CA');
    expect(sameTbs(view.tbs, subscriberTbs(input))).toBe(true);
  });

  it('shows a difference of a single octet in the signed part', async () => {
    const issuing = await makeIssuing(await makeRoot());
    const input = makeSubscriberInput(issuing, makeKey());
    const later = new Date(input.validity.notAfter.getTime() + 1000);
    const other = subscriberTbs({ ...input, validity: { ...input.validity, notAfter: later } });
    expect(sameTbs(subscriberTbs(input), other)).toBe(false);
  });

  it('is an error value when damaged, never an exception', async () => {
    const good = await makeSubscriberCertificate(await makeIssuing(await makeRoot()), makeKey());
    fc.assert(
      fc.property(fc.oneof(mutated(good), fc.uint8Array({ maxLength: 400 })), (bytes) => {
        const result = parseCertificate(bytes);
        expect(result.ok || result.error.code === 'MALFORMED').toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('is refused when larger than any certificate', () => {
    expect(parseCertificate(new Uint8Array(70_000))).toMatchObject({ ok: false });
  });
});

describe('a serial number', () => {
  it('is positive and exactly 20 octets whatever the random octets are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (random) => {
        const serial = serialFromRandom(random);
        expect(formatSerial(serial)).toMatch(/^[4-7][0-9A-F]{39}$/);
        expect(Buffer.from(serial.subarray(1)).equals(random.subarray(1))).toBe(true);
      }),
    );
  });

  it('is not made of fewer random octets', () => {
    expect(() => serialFromRandom(randomBytes(16))).toThrow(RangeError);
  });
});
