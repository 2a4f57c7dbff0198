import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeIssuing, makeKey, makeRoot, makeSubscriberCertificate } from '../../test/fixtures.ts';
import { mutated } from '../../test/mutate.ts';
import { readPkcs12 } from './read.ts';
import { type Pkcs12Encoding, type Pkcs12Input, pkcs12Encodings, writePkcs12 } from './write.ts';

let input: Pkcs12Input;

beforeAll(async () => {
  const root = await makeRoot();
  const issuing = await makeIssuing(root);
  const key = makeKey();
  input = {
    privateKey: key.pkcs8,
    certificate: await makeSubscriberCertificate(issuing, key),
    chain: [issuing.certificate, root.certificate],
    password: 'contraseña secreta',
    friendlyName: 'MARÍA JOSÉ ÑÚÑEZ',
  };
});

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');

const write = (overrides: Partial<Pkcs12Input> = {}) =>
  writePkcs12({ ...input, iterations: 3, ...overrides });

describe.each(pkcs12Encodings)('a PKCS#12 file in the %s encoding', (encoding: Pkcs12Encoding) => {
  it('gives back key, chain and name with its password', async () => {
    const opened = await readPkcs12(await write({ encoding }), input.password);
    if (!opened.ok) throw new Error(opened.error.code);
    const { keys, certificates } = opened.value;
    const localKeyId = createHash('sha1').update(input.certificate).digest('hex');
    expect(keys.map((key) => [hex(key.privateKey), key.friendlyName, hex(key.localKeyId)])).toEqual([
      [hex(input.privateKey), input.friendlyName, localKeyId],
    ]);
    expect(certificates.map((one) => [hex(one.certificate), one.friendlyName, hex(one.localKeyId)])).toEqual([
      [hex(input.certificate), input.friendlyName, localKeyId],
      [hex(input.chain[0]), 'Test Issuing CA', undefined],
      [hex(input.chain[1]), 'Test Root CA', undefined],
    ]);
  });

  it.each(['', 'contrasena secreta', 'contraseña secreta '])('does not open with "%s"', async (password) => {
    expect(await readPkcs12(await write({ encoding }), password)).toEqual({
      ok: false,
      error: { code: 'WRONG_PASSWORD' },
    });
  });

  it('opens with any password it was written with', async () => {
    const passwords = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 });
    await fc.assert(
      fc.asyncProperty(passwords, async (password) => {
        expect(await readPkcs12(await write({ encoding, password }), password)).toMatchObject({ ok: true });
      }),
      { numRuns: 60 },
    );
  });

  it('is never the same twice', async () => {
    expect(Buffer.compare(await write({ encoding }), await write({ encoding }))).not.toBe(0);
  });

  it('holds key and names only encrypted', async () => {
    const file = Buffer.from(await write({ encoding }));
    expect(file.includes(Buffer.from(input.privateKey.subarray(-40)))).toBe(false);
    expect(file.includes('1710034065')).toBe(false);
  });

  it('damaged in 2,500 ways gives a value, never an exception', async () => {
    const good = await write({ encoding });
    await fc.assert(
      fc.asyncProperty(mutated(good), async (bytes) => {
        expect(await readPkcs12(bytes, input.password)).toHaveProperty('ok');
      }),
      { numRuns: 2500 },
    );
  });
});

describe('the PKCS#12 reader', () => {
  it('answers garbage with MALFORMED', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
        expect(await readPkcs12(bytes, 'x')).toMatchObject({ ok: false, error: { code: 'MALFORMED' } });
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses a file that asks for hours of key derivation', async () => {
    const file = Buffer.from(await write({ iterations: 0x1234 }));
    // The count stands last, in the MAC: 0x1234 becomes a number that fits the same octets.
    expect(file.subarray(-4).toString('hex')).toBe('02021234');
    const greedy = Buffer.from(file);
    greedy.writeUInt8(0x7f, greedy.length - 2);
    expect(await readPkcs12(greedy, input.password)).toEqual({
      ok: false,
      error: { code: 'WRONG_PASSWORD' },
    });
    expect(await readPkcs12(await write({ iterations: 600_001 }), input.password)).toMatchObject({
      ok: false,
      error: { code: 'UNSUPPORTED', reason: '600001 iterations' },
    });
  });

  it('refuses what is larger than a key and its chain', async () => {
    expect(await readPkcs12(new Uint8Array(300_000), 'x')).toMatchObject({
      ok: false,
      error: { code: 'MALFORMED' },
    });
  });
});
