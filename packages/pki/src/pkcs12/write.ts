import { createHash, createHmac, randomBytes } from 'node:crypto';
import { parseCertificate } from '../certificate/parse.ts';
import {
  bmpString,
  encodeExplicit,
  encodeSet,
  implicitPrimitive,
  integer,
  nullValue,
  octetString,
  oid,
  sequence,
} from '../der/write.ts';
import { nameValue } from '../name/distinguished-name.ts';
import { oids } from '../oids.ts';
import { legacyCipher, modernCipher, type PartCipher } from './encryption.ts';
import { pkcs12Kdf, purposes } from './key-derivation.ts';
import { passwordForms } from './password.ts';

export const pkcs12Encodings = ['modern', 'legacy'] as const;

/**
 * Encoding of a file. `modern`: PBES2 with AES-256-CBC and a SHA-256 MAC. `legacy`: three-key triple DES with a SHA-1
 * MAC.
 */
export type Pkcs12Encoding = (typeof pkcs12Encodings)[number];

/** Password of the file and parameters of its encryption. */
export interface Pkcs12Protection {
  readonly password: string;
  readonly encoding?: Pkcs12Encoding;
  /** Iterations of each derivation, of the key and of the MAC; at most `maxPkcs12Iterations`. */
  readonly iterations?: number;
}

/** Content of the file. */
export interface Pkcs12Entry {
  /** PKCS#8, DER, not encrypted. */
  readonly privateKey: Uint8Array;
  /** Certificate of the subscriber, DER. */
  readonly certificate: Uint8Array;
  /** Authorities above it, nearest first, DER. */
  readonly chain: readonly Uint8Array[];
  /** Name of the entry in key stores. Authorities appear with their common names. */
  readonly friendlyName: string;
}

export type Pkcs12Input = Pkcs12Protection & Pkcs12Entry;

/**
 * Iterations of each derivation, as in OpenSSL. A guess of a password is checked fastest against the MAC, so more
 * iterations for the cipher alone would protect nothing.
 */
const DEFAULT_ITERATIONS = 2048;

/** Writes one file, DER. */
export type Pkcs12Writer = (entry: Pkcs12Entry) => Promise<Uint8Array>;

/** Writes a PKCS#12 file (PFX, RFC 7292 §4), DER. */
export async function writePkcs12(input: Pkcs12Input): Promise<Uint8Array> {
  const write = await preparePkcs12(input);
  return write(input);
}

/**
 * Runs the derivations, which take by far the longest and need only the password: started before there is a
 * certificate, they cost its applicant no time. The derivation of the key runs in the thread pool; at the same time
 * that of the MAC runs on this thread, in short slices. The result is for one file.
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
  return sequence(oid(oids.data), encodeExplicit(0, octetString(content)));
}

async function encryptedPart(safeContents: Uint8Array, cipher: PartCipher): Promise<Uint8Array> {
  const { algorithm, ciphertext } = await cipher(safeContents);
  const content = sequence(oid(oids.data), algorithm, implicitPrimitive(0, ciphertext));
  return sequence(oid(oids.encryptedData), encodeExplicit(0, sequence(integer(0), content)));
}

/**
 * Encodes the certificates: the subscriber's first, then the authorities in the given order, because some programs take
 * the first for the signer's.
 */
function certificateBags({ certificate, chain, friendlyName }: Pkcs12Entry): Uint8Array {
  const bag = (der: Uint8Array, attributes: Uint8Array[]) =>
    sequence(
      oid(oids.certBag),
      encodeExplicit(0, sequence(oid(oids.x509Certificate), encodeExplicit(0, octetString(der)))),
      ...attributes,
    );
  return sequence(
    bag(certificate, [bagAttributes(friendlyName, certificate)]),
    ...chain.map((authority) => {
      const name = readCommonName(authority);
      return bag(authority, name === undefined ? [] : [bagAttributes(name)]);
    }),
  );
}

/** Reads the common name of an authority: key stores show an authority without a name as a number or a hash. */
function readCommonName(authority: Uint8Array): string | undefined {
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
    encodeExplicit(0, sequence(algorithm, octetString(ciphertext))),
    bagAttributes(friendlyName, certificate),
  );
}

/**
 * Builds the attributes of a bag. The same name and local key id on key and certificate, and on no other, link them.
 */
function bagAttributes(friendlyName: string, certificate?: Uint8Array): Uint8Array {
  const name = sequence(oid(oids.friendlyName), encodeSet(bmpString(friendlyName)));
  if (certificate === undefined) return encodeSet(name);
  // SHA-1 is only a label here, which OpenSSL and NSS also use; no security depends on it.
  const localKeyId = createHash('sha1').update(certificate).digest();
  return encodeSet(name, sequence(oid(oids.localKeyId), encodeSet(octetString(localKeyId))));
}

/**
 * Computes the MAC over the content (RFC 7292 Appendix A). The programs of subscribers do not read PBMAC1 (RFC 9579).
 */
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
