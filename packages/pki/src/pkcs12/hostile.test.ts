import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeIssuing, makeKey, makeRoot, makeSubscriberCertificate } from '../../test/fixtures.ts';
import { mutated } from '../../test/mutate.ts';
import { member, readNode } from '../der/read.ts';
import {
  bmpString,
  encodeExplicit,
  encodeSet,
  integer,
  nullValue,
  octetString,
  oid,
  sequence,
  tags,
} from '../der/write.ts';
import { oids } from '../oids.ts';
import { legacyCipher, modernCipher, type PartCipher } from './encryption.ts';
import { pkcs12Kdf, purposes } from './key-derivation.ts';
import { passwordForms } from './password.ts';
import { readPkcs12 } from './read.ts';
import { pkcs12Encodings, writePkcs12 } from './write.ts';

/** Files by an attacker who knows the password, so that the MAC is right and every part behind it is reached. */
const password = 'contraseña';
const forms = passwordForms(password);

const dataPart = (content: Uint8Array) => sequence(oid(oids.data), encodeExplicit(0, octetString(content)));

async function fileOf(safe: Uint8Array): Promise<Uint8Array> {
  const salt = new Uint8Array(8);
  const key = await pkcs12Kdf({
    password: forms.bmp,
    salt,
    iterations: 1,
    purpose: purposes.mac,
    length: 20,
    digest: 'sha1',
  });
  const mac = createHmac('sha1', key).update(safe).digest();
  const digestInfo = sequence(sequence(oid(oids.sha1), nullValue()), octetString(mac));
  return sequence(integer(3), dataPart(safe), sequence(digestInfo, octetString(salt)));
}

let key: Uint8Array;
let certificate: Uint8Array;

beforeAll(async () => {
  const made = makeKey();
  key = made.pkcs8;
  certificate = await makeSubscriberCertificate(await makeIssuing(await makeRoot()), made);
});

const certificateBag = (...attributes: Uint8Array[]) =>
  sequence(
    oid(oids.certBag),
    encodeExplicit(0, sequence(oid(oids.x509Certificate), encodeExplicit(0, octetString(certificate)))),
    ...attributes,
  );

const codes = async (contents: fc.Arbitrary<Uint8Array>, numRuns = 2_500) => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(contents, async (safe) => {
      const opened = await readPkcs12(await fileOf(safe), password);
      seen.add(opened.ok ? 'OPENED' : opened.error.code);
    }),
    { numRuns },
  );
  return [...seen].toSorted();
};

describe('a PKCS#12 file with a right MAC', () => {
  it.each(pkcs12Encodings)(
    'over 2,500 damaged %s parts gives a value, never an exception',
    async (encoding) => {
      const input = { privateKey: key, certificate, chain: [], password, friendlyName: 'Ñ', iterations: 1 };
      const file = readNode(await writePkcs12({ ...input, encoding }));
      const safe = member(member(member(file, 1, tags.sequence), 1, 0xa0), 0, tags.octetString).content;
      expect(await codes(mutated(safe))).toEqual(['MALFORMED', 'OPENED', 'UNSUPPORTED', 'WRONG_PASSWORD']);
    },
  );

  it('over 2,500 damaged lists of bags gives a value, never an exception', async () => {
    const bags = sequence(certificateBag(), sequence(oid(oids.pkcs8KeyBag), encodeExplicit(0, key)));
    expect(await codes(mutated(bags).map((bad) => sequence(dataPart(bad))))).toEqual([
      'MALFORMED',
      'OPENED',
      'UNSUPPORTED',
    ]);
  });

  it('over 5,000 damaged names and local key ids of a bag gives a value, never an exception', async () => {
    const attribute = (type: string, value: Uint8Array) => sequence(oid(type), encodeSet(value));
    const attributes = encodeSet(
      attribute(oids.friendlyName, bmpString('MARÍA JOSÉ ÑÚÑEZ')),
      attribute(oids.localKeyId, octetString(new Uint8Array(20))),
    );
    const bags = mutated(attributes).map((bad) => sequence(dataPart(sequence(certificateBag(bad)))));
    expect(await codes(bags, 5_000)).toEqual(['MALFORMED', 'OPENED']);
  });

  it.each([
    ['in the thread pool', 3, () => modernCipher(forms, 900_000)],
    ['on this thread', 3, () => legacyCipher(forms, 90_000)],
  ])('is refused when its bags ask for hours of key derivation %s', async (_, bags, makeCipher) => {
    const cipher: PartCipher = await makeCipher();
    const { algorithm, ciphertext } = await cipher(key);
    const bag = sequence(
      oid(oids.shroudedKeyBag),
      encodeExplicit(0, sequence(algorithm, octetString(ciphertext))),
    );
    const fileWith = (count: number) =>
      fileOf(sequence(dataPart(sequence(...Array.from({ length: count }, () => bag)))));
    expect(await readPkcs12(await fileWith(bags - 1), password)).toMatchObject({ ok: true });
    expect(await readPkcs12(await fileWith(bags), password)).toEqual({
      ok: false,
      error: { code: 'UNSUPPORTED', reason: 'more key derivation than any such file needs' },
    });
  });
});
