import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type DerNode,
  expectTag,
  Malformed,
  member,
  readNode,
  readOid,
  readSmallInteger,
} from '../der/read.ts';
import { readText } from '../der/text.ts';
import { tags } from '../der/write.ts';
import { oids } from '../oids.ts';
import { failedResult, ok, type Result } from '../result.ts';
import { decryptPart, pkcs12Iterations, type Unlocking, Unsupported, unlocking } from './decryption.ts';
import { type DigestName, pkcs12Kdf, purposes } from './key-derivation.ts';

export type Pkcs12Content = {
  /** PKCS#8, DER. */
  keys: { privateKey: Uint8Array; friendlyName?: string | undefined; localKeyId?: Uint8Array | undefined }[];
  certificates: {
    certificate: Uint8Array;
    friendlyName?: string | undefined;
    localKeyId?: Uint8Array | undefined;
  }[];
};

export type Pkcs12Fault =
  | { code: 'MALFORMED'; reason: string }
  | { code: 'UNSUPPORTED'; reason: string }
  | { code: 'WRONG_PASSWORD' };

class WrongPassword extends Error {}

/** Larger files contain more than a key and a chain. */
const MAX_PKCS12_BYTES = 256 * 1024;

const macDigests: Record<string, DigestName> = {
  [oids.sha1]: 'sha1',
  [oids.sha256]: 'sha256',
  [oids.sha384]: 'sha384',
  [oids.sha512]: 'sha512',
};

/** Opens a PKCS#12 file (DER, password integrity). Any bytes give a value, never an exception. */
export async function readPkcs12(
  der: Uint8Array,
  password: string,
): Promise<Result<Pkcs12Content, Pkcs12Fault>> {
  try {
    return ok(await open(der, password));
  } catch (error) {
    if (error instanceof Malformed) return failedResult({ code: 'MALFORMED', reason: error.message });
    if (error instanceof Unsupported) return failedResult({ code: 'UNSUPPORTED', reason: error.message });
    if (error instanceof WrongPassword) return failedResult({ code: 'WRONG_PASSWORD' });
    throw error;
  }
}

/**
 * Reads the encoding of a file and the iterations of its MAC; nothing is verified. Throws `Malformed` if it is not a
 * PKCS#12 file.
 */
export function readPkcs12Protection(der: Uint8Array): { encoding: 'modern' | 'legacy'; iterations: number } {
  const macData = member(expectTag(readNode(der), tags.sequence), 2, tags.sequence);
  const digest = readOid(
    member(member(member(macData, 0, tags.sequence), 0, tags.sequence), 0, tags.objectIdentifier),
  );
  return {
    encoding: digest === oids.sha1 ? 'legacy' : 'modern',
    iterations: macData.children[2] ? readSmallInteger(member(macData, 2, tags.integer)) : 1,
  };
}

async function open(der: Uint8Array, password: string): Promise<Pkcs12Content> {
  if (der.length > MAX_PKCS12_BYTES) throw new Malformed('too large for a key and its chain');
  const unlock = unlocking(password);
  const pfx = expectTag(readNode(der), tags.sequence);
  if (readSmallInteger(member(pfx, 0, tags.integer)) !== 3) throw new Unsupported('version other than 3');
  const safe = readData(member(pfx, 1, tags.sequence));
  await verifyMac(member(pfx, 2, tags.sequence), safe, unlock);
  const content: Pkcs12Content = { keys: [], certificates: [] };
  for (const part of expectTag(readNode(safe), tags.sequence).children) {
    const contents = await partContents(expectTag(part, tags.sequence), unlock);
    for (const bag of expectTag(readNode(contents), tags.sequence).children) {
      await addBag(content, expectTag(bag, tags.sequence), unlock);
    }
  }
  return content;
}

async function verifyMac(macData: DerNode, safe: Uint8Array, unlock: Unlocking): Promise<void> {
  const digestInfo = member(macData, 0, tags.sequence);
  const id = readOid(member(member(digestInfo, 0, tags.sequence), 0, tags.objectIdentifier));
  const digest = macDigests[id];
  if (digest === undefined) throw new Unsupported(`MAC ${id}`);
  const expected = member(digestInfo, 1, tags.octetString).content;
  const salt = member(macData, 1, tags.octetString).content;
  const counted = macData.children[2];
  const iterations = counted ? pkcs12Iterations(expectTag(counted, tags.integer), { unlock, times: 1 }) : 1;
  const length = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }[digest];
  const key = await pkcs12Kdf({
    password: unlock.bmp,
    salt,
    iterations,
    purpose: purposes.mac,
    length,
    digest,
  });
  const mac = createHmac(digest, key).update(safe).digest();
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) throw new WrongPassword();
}

/** Reads the octets of a `data` content info. */
function readData(info: DerNode): Uint8Array {
  const id = readOid(member(info, 0, tags.objectIdentifier));
  if (id !== oids.data) throw new Unsupported(`content ${id}`);
  return member(member(info, 1, 0xa0), 0, tags.octetString).content;
}

async function partContents(info: DerNode, unlock: Unlocking): Promise<Uint8Array> {
  if (readOid(member(info, 0, tags.objectIdentifier)) !== oids.encryptedData) return readData(info);
  const encrypted = member(member(member(info, 1, 0xa0), 0, tags.sequence), 1, tags.sequence);
  const ciphertext = member(encrypted, 2, 0x80).content;
  return decryptOrThrow(member(encrypted, 1, tags.sequence), ciphertext, unlock);
}

async function decryptOrThrow(algorithm: DerNode, ciphertext: Uint8Array, unlock: Unlocking) {
  const plaintext = await decryptPart(algorithm, ciphertext, unlock);
  if (plaintext === undefined) throw new WrongPassword();
  return plaintext;
}

async function addBag(content: Pkcs12Content, bag: DerNode, unlock: Unlocking) {
  const id = readOid(member(bag, 0, tags.objectIdentifier));
  const value = member(member(bag, 1, 0xa0), 0, tags.sequence);
  const attributes = bagAttributes(bag.children[2]);
  if (id === oids.certBag) {
    const certificate = member(member(value, 1, 0xa0), 0, tags.octetString).content;
    content.certificates.push({ certificate, ...attributes });
  } else if (id === oids.shroudedKeyBag) {
    const ciphertext = member(value, 1, tags.octetString).content;
    const privateKey = await decryptOrThrow(member(value, 0, tags.sequence), ciphertext, unlock);
    content.keys.push({ privateKey, ...attributes });
  } else if (id === oids.pkcs8KeyBag) {
    content.keys.push({ privateKey: value.raw, ...attributes });
  } else {
    throw new Unsupported(`bag ${id}`);
  }
}

function bagAttributes(set: DerNode | undefined) {
  let friendlyName: string | undefined;
  let localKeyId: Uint8Array | undefined;
  for (const attribute of set ? expectTag(set, tags.set).children : []) {
    const id = readOid(member(expectTag(attribute, tags.sequence), 0, tags.objectIdentifier));
    const value = member(attribute, 1, tags.set).children[0];
    if (id === oids.friendlyName && value) friendlyName = readText(value);
    if (id === oids.localKeyId && value) localKeyId = expectTag(value, tags.octetString).content;
  }
  return { friendlyName, localKeyId };
}
