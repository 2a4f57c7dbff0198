import { createHash, createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { databaseServiceSchema } from '@rubrica/contracts/shared/enumerations';
import { z } from 'zod';
import type { keySettings } from '../config/fragments.ts';

const base = { kty: z.literal('OKP'), kid: z.string().min(1).max(100), x: z.string() };
const publicJwk = z.discriminatedUnion('use', [
  z.object({ ...base, use: z.literal('sig'), crv: z.literal('Ed25519') }),
  // RFC 7517 §4.2 allows further uses; libraries that look for `sig` leave these keys alone.
  z.object({ ...base, use: z.literal('audit'), crv: z.literal('Ed25519') }),
  z.object({ ...base, use: z.literal('enc'), crv: z.literal('X25519') }),
]);
/** No public half: what it has made is checked by the service alone that has made it. */
const macJwk = z.object({
  kty: z.literal('oct'),
  use: z.literal('mac'),
  kid: z.string().min(1).max(100),
  /** 32 bytes, base64url. */
  k: z.string().length(43),
  /** End of its use for making anything; what it made before stays proven where that is never written anew (audit entries). */
  ended: z.iso.datetime().optional(),
});
const privateJwk = publicJwk.and(z.object({ d: z.string() }));
const ownJwk = z.union([privateJwk, macJwk]);
const keysFile = z.object({ keys: z.array(ownJwk).min(1) });
const peersFile = z.record(z.string(), z.object({ keys: z.array(publicJwk) }));

export type PublicJwk = z.output<typeof publicJwk>;
export type PrivateJwk = z.output<typeof privateJwk>;
/** What a service's own file holds. */
export type OwnJwk = z.output<typeof ownJwk>;
type MacJwk = z.output<typeof macJwk>;
export type KeyUse = OwnJwk['use'];
export const keyUses = ['sig', 'enc', 'audit', 'mac'] as const satisfies readonly KeyUse[];

export type NamedKey = { kid: string; key: KeyObject };
export type ServiceKeys = {
  /** First signs; all are private. */
  signing: readonly NamedKey[];
  /** Signs checkpoints of the audit log and nothing else; undefined in a service that keeps none. */
  auditing: NamedKey | undefined;
  /** First is what others seal to; all open, by kid. */
  opening: ReadonlyMap<string, KeyObject>;
  /** For MACs over rows, by kid; the first makes them, all check. None in a service without a database. */
  mac: ReadonlyMap<string, KeyObject>;
  /** Ended keys for MACs, by kid: for audit entries that were written before their end. */
  endedMac: ReadonlyMap<string, { readonly key: KeyObject; readonly endedAtMs: number }>;
};
export type PeerKeys = {
  /** Verifies what the peer states, by kid. */
  verifying: ReadonlyMap<string, KeyObject>;
  /** Verifies checkpoints of the peer's audit log and nothing else, by kid. */
  auditing: ReadonlyMap<string, KeyObject>;
  /** What is sealed to this peer now; undefined where the peer has no such key. */
  sealing: NamedKey | undefined;
  /** All its public keys of use `enc`, by kid: messages on the bus are sealed between two of them. */
  agreeing: ReadonlyMap<string, KeyObject>;
};

export type KeyMaterial = {
  own: ServiceKeys;
  peers: ReadonlyMap<string, PeerKeys>;
  /** Of both files as they were read: the same digest, the same keys. */
  digest: string;
};

/**
 * Reads both key files. A service's own entry among the peers is made from its private keys, so a
 * peers file that lags behind a rotation cannot make it seal to itself with a key it no longer has.
 *
 * @param known the digest of what was read before: the same content is not parsed again, and gives undefined. Content
 *   is compared and not its time: a file system's clock is coarse, and a mounted secret may keep the time it had
 * @throws Error that names the file and never quotes from it
 */
export async function readKeyFiles(
  settings: z.output<typeof keySettings>,
  service: string,
  known?: string,
): Promise<KeyMaterial | undefined> {
  const texts = [await readText(settings.keysFile), await readText(settings.peersFile)] as const;
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
  if (digest === known) return undefined;
  const { keys } = parseJson(texts[0], keysFile, settings.keysFile);
  const own = toServiceKeys(keys, { service, path: settings.keysFile });
  const listed = parseJson(texts[1], peersFile, settings.peersFile);
  assertOneUseEach(
    [...keys.filter(isKeyPair), ...allKeys(listed)],
    `${settings.keysFile} and ${settings.peersFile}`,
  );
  const peers = toPeers(listed);
  const itself = toPeerKeys(keys.filter(isKeyPair));
  // What it signed under a key that it has given up is still its own word, as long as the peers file says so.
  const former = peers.get(service);
  peers.set(service, {
    ...itself,
    verifying: new Map([...(former?.verifying ?? []), ...itself.verifying]),
    auditing: new Map([...(former?.auditing ?? []), ...itself.auditing]),
  });
  return { own, peers, digest };
}

/** @throws Error that names the file */
export async function readPeersFile(path: string): Promise<Map<string, PeerKeys>> {
  const listed = parseJson(await readText(path), peersFile, path);
  assertOneUseEach(allKeys(listed), path);
  return toPeers(listed);
}

function toPeers(listed: z.output<typeof peersFile>): Map<string, PeerKeys> {
  return new Map(Object.entries(listed).map(([name, set]) => [name, toPeerKeys(set.keys)]));
}

function allKeys(listed: z.output<typeof peersFile>): PublicJwk[] {
  return Object.values(listed).flatMap(({ keys }) => keys);
}

/** A key copied under another use would let what signs calls sign the audit log too. */
function assertOneUseEach(keys: readonly PublicJwk[], path: string): void {
  const known = new Map<string, PublicJwk>();
  for (const key of keys) {
    const same = known.get(key.x);
    if (same !== undefined && same.use !== key.use) {
      throw new Error(`The key files ${path} have one key for two uses: ${same.kid} and ${key.kid}`);
    }
    known.set(key.x, key);
  }
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`The key file ${path} cannot be read`, { cause: error });
  });
}

function parseJson<Schema extends z.ZodType>(text: string, schema: Schema, path: string): z.output<Schema> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // Without the cause: the parser's message quotes the file, which holds private keys.
    throw new Error(`The key file ${path} is not JSON`);
  }
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  const places = result.error.issues.map((issue) => issue.path.join('.') || 'the whole').join(', ');
  throw new Error(`The key file ${path} is not as it must be, at: ${places}`);
}

function toServiceKeys(
  keys: readonly OwnJwk[],
  { service, path }: { service: string; path: string },
): ServiceKeys {
  const pairs = keys.filter(isKeyPair);
  const macs = keys.filter((jwk): jwk is MacJwk => !isKeyPair(jwk));
  const ofUse = (use: KeyUse) =>
    pairs.filter((jwk) => jwk.use === use).map((jwk) => ({ kid: jwk.kid, key: privateKey(jwk) }));
  for (const use of usesOf(service)) {
    if (!keys.some((jwk) => jwk.use === use && !isEnded(jwk)))
      throw new Error(`The key file ${path} has no key of use "${use}"`);
  }
  const [auditing] = ofUse('audit');
  return {
    signing: ofUse('sig'),
    auditing,
    opening: new Map(ofUse('enc').map(({ kid, key }) => [kid, key])),
    mac: new Map(macs.filter((jwk) => !isEnded(jwk)).map((jwk) => [jwk.kid, secretKey(jwk)])),
    endedMac: new Map(
      macs.flatMap((jwk) =>
        jwk.ended === undefined
          ? []
          : [[jwk.kid, { key: secretKey(jwk), endedAtMs: Date.parse(jwk.ended) }] as const],
      ),
    ),
  };
}

function toPeerKeys(keys: readonly PublicJwk[]): PeerKeys {
  const ofUse = (use: KeyUse) =>
    keys.filter((jwk) => jwk.use === use).map((jwk) => [jwk.kid, publicKey(jwk)] as const);
  const newest = keys.find(({ use }) => use === 'enc');
  return {
    verifying: new Map(ofUse('sig')),
    auditing: new Map(ofUse('audit')),
    sealing: newest && { kid: newest.kid, key: publicKey(newest) },
    agreeing: new Map(ofUse('enc')),
  };
}

/** Who keeps no database keeps no audit log and no rows either. */
export function usesOf(service: string): KeyUse[] {
  return databaseServiceSchema.safeParse(service).success ? [...keyUses] : ['sig', 'enc'];
}

function isKeyPair(jwk: OwnJwk): jwk is PrivateJwk {
  return jwk.use !== 'mac';
}

export function isEnded(jwk: OwnJwk): boolean {
  return 'ended' in jwk && jwk.ended !== undefined;
}

function secretKey({ k }: MacJwk): KeyObject {
  return createSecretKey(k, 'base64url');
}

function privateKey({ kty, crv, x, d }: PrivateJwk): KeyObject {
  return createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' });
}

function publicKey({ kty, crv, x }: PublicJwk): KeyObject {
  return createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
}
