import { createHash, createHmac, randomBytes } from 'node:crypto';
import { parseCertificate } from '../certificate/parse.ts';
import {
  bmpString,
  explicit,
  implicitPrimitive,
  integer,
  nullValue,
  octetString,
  oid,
  sequence,
  setOf,
} from '../der/write.ts';
import { nameValue } from '../name/distinguished-name.ts';
import { oids } from '../oids.ts';
import { legacyCipher, modernCipher, type PartCipher } from './encryption.ts';
import { pkcs12Kdf, purposes } from './key-derivation.ts';
import { passwordForms } from './password.ts';

export const pkcs12Encodings = ['modern', 'legacy'] as const;

/**
 * `modern`: PBES2 with AES-256-CBC and a SHA-256 MAC. `legacy`: three-key triple DES with a SHA-1 MAC.
 */
export type Pkcs12Encoding = (typeof pkcs12Encodings)[number];

/** What opens the file. */
export interface Pkcs12Protection {
  readonly password: string;
  readonly encoding?: Pkcs12Encoding;
  /** Rounds of each derivation, of the key as of the MAC; at most `maxPkcs12Iterations`. */
  readonly iterations?: number;
}

/** What the file holds. */
export interface Pkcs12Entry {
  /** PKCS#8, DER, not encrypted. */
  readonly privateKey: Uint8Array;
  /** The subscriber's certificate, DER. */
  readonly certificate: Uint8Array;
  /** Authorities above it, nearest first, DER. */
  readonly chain: readonly Uint8Array[];
  /** Shown by key stores as the name of the entry. Authorities are shown by their common names. */
  readonly friendlyName: string;
}

export type Pkcs12Input = Pkcs12Protection & Pkcs12Entry;

/**
 * Rounds of each derivation, as OpenSSL has it. One guess of a password is checked soonest against the MAC, so
 * more rounds for the cipher alone would protect nothing.
 */
const DEFAULT_ITERATIONS = 2048;

/** Writes one file, DER. */
export type Pkcs12Writer = (entry: Pkcs12Entry) => Promise<Uint8Array>;

/** A PKCS#12 file (PFX, RFC 7292 §4), DER. */
export async function writePkcs12(input: Pkcs12Input): Promise<Uint8Array> {
  const write = await preparePkcs12(input);
  return write(input);
}

/**
 * The derivations, which take longest by far and need the password alone: begun before there is a certificate, they
 * cost its applicant no time. That of the key runs in the thread pool, at the same time that of the MAC's on this
 * thread, which is let go again and again. What they give is for one file.
 */
export async function preparePkcs12(protection: Pkcs12Protection): Promise<Pkcs12Writer> {
  const { encoding = 'modern', iterations = DEFAULT_ITERATIONS } = protection;
  const password = passwordForms(protection.password);
  const digest = encoding === 'modern' ? 'sha256' : 'sha1';
  const [cipher, mac] = await Promise.all([
    encoding === 'modern' ? modernCipher(password, iterations) : legacyCipher(password, iterations),
    contentMac({ password: password.bmp, digest, iterations }),
  ]);
  return async (entry) => {
    const safe = sequence(
      await encryptedPart(certificateBags(entry), cipher),
      dataPart(sequence(await keyBag(entry, cipher))),
    );
    return sequence(integer(3), dataPart(safe), mac(safe));
  };
}

function dataPart(content: Uint8Array) {
  return sequence(oid(oids.data), explicit(0, octetString(content)));
}

async function encryptedPart(safeContents: Uint8Array, cipher: PartCipher): Promise<Uint8Array> {
  const { algorithm, ciphertext } = await cipher(safeContents);
  const content = sequence(oid(oids.data), algorithm, implicitPrimitive(0, ciphertext));
  return sequence(oid(oids.encryptedData), explicit(0, sequence(integer(0), content)));
}

/** The subscriber's first, then the authorities as they are given: some programs take the first for the signer's. */
function certificateBags({ certificate, chain, friendlyName }: Pkcs12Entry): Uint8Array {
  const bag = (der: Uint8Array, attributes: Uint8Array[]) =>
    sequence(
      oid(oids.certBag),
      explicit(0, sequence(oid(oids.x509Certificate), explicit(0, octetString(der)))),
      ...attributes,
    );
  return sequence(
    bag(certificate, [bagAttributes(friendlyName, certificate)]),
    ...chain.map((authority) => {
      const name = commonNameOf(authority);
      return bag(authority, name === undefined ? [] : [bagAttributes(name)]);
    }),
  );
}

/** Key stores show an authority without a name as a number or a hash. */
function commonNameOf(authority: Uint8Array): string | undefined {
  const parsed = parseCertificate(authority);
  return parsed.ok ? nameValue(parsed.value.subject, 'commonName') : undefined;
}

async function keyBag(
  { privateKey, certificate, friendlyName }: Pkcs12Entry,
  cipher: PartCipher,
): Promise<Uint8Array> {
  const { algorithm, ciphertext } = await cipher(privateKey);
  return sequence(
    oid(oids.shroudedKeyBag),
    explicit(0, sequence(algorithm, octetString(ciphertext))),
    bagAttributes(friendlyName, certificate),
  );
}

/** The same name and local key id on key and certificate, and on no other, tie them together. */
function bagAttributes(friendlyName: string, certificate?: Uint8Array): Uint8Array {
  const name = sequence(oid(oids.friendlyName), setOf(bmpString(friendlyName)));
  if (certificate === undefined) return setOf(name);
  // SHA-1 here is a mere label that OpenSSL and NSS also use; nothing rests on it.
  const localKeyId = createHash('sha1').update(certificate).digest();
  return setOf(name, sequence(oid(oids.localKeyId), setOf(octetString(localKeyId))));
}

/** MAC over the content (RFC 7292 Appendix A). PBMAC1 (RFC 9579) is not read by the programs subscribers have. */
async function contentMac(input: {
  password: Uint8Array;
  digest: 'sha1' | 'sha256';
  iterations: number;
}): Promise<(safe: Uint8Array) => Uint8Array> {
  const { password, digest, iterations } = input;
  const salt = randomBytes(16);
  const length = digest === 'sha256' ? 32 : 20;
  const key = await pkcs12Kdf({ password, salt, iterations, purpose: purposes.mac, length, digest });
  return (safe) =>
    sequence(
      sequence(
        sequence(oid(oids[digest]), nullValue()),
        octetString(createHmac(digest, key).update(safe).digest()),
      ),
      octetString(salt),
      integer(iterations),
    );
}
