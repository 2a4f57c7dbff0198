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
import { readNode } from '../der/read.ts';
import { formatName, nameValue } from '../name/distinguished-name.ts';
import { subscriberTbs } from './build.ts';
import { parseCertificate, sameTbs } from './parse.ts';
import { formatSerial, isOwnSerial, readSerial, serialFromRandom, serialInteger } from './serial.ts';

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
  it('is positive and exactly 15 octets whatever the random octets are: below 2^127, which PHP still prints in decimal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 15, maxLength: 15 }), (random) => {
        const serial = serialFromRandom(random);
        expect(formatSerial(serial)).toMatch(/^[4-7][0-9A-F]{29}$/);
        expect(Buffer.from(serial.subarray(1)).equals(random.subarray(1))).toBe(true);
      }),
    );
  });

  it.each([14, 16, 20])('is not made of %i random octets', (count) => {
    expect(() => serialFromRandom(randomBytes(count))).toThrow(RangeError);
  });

  it.each([
    ['of earlier releases', 20],
    ['of this release', 15],
  ])('%s reads back as it was written', (_, octets) => {
    const serial = randomBytes(octets).fill(0x4a, 0, 1);
    const text = formatSerial(serial);
    expect(readSerial(readNode(serialInteger(text)))).toBe(text);
    expect(isOwnSerial(text)).toBe(true);
  });

  it.each([
    ['of another length', `4A${'0'.repeat(30)}`],
    ['in lower case', `4a${'0'.repeat(28)}`],
    ['that begins with other bits', `8A${'0'.repeat(28)}`],
    ['with more around it', `4A${'0'.repeat(28)}\n`],
  ])('%s is none of ours', (_, text) => {
    expect(isOwnSerial(text)).toBe(false);
  });
});
