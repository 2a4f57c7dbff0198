import { createHash, createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { databaseServiceSchema } from '@rubrica/contracts/shared/enumerations';
import { z } from 'zod';
import type { keySettings } from '../config/fragments.ts';

const base = { kty: z.literal('OKP'), kid: z.string().min(1).max(100), x: z.string() };
const publicJwk = z.discriminatedUnion('use', [
  z.object({ ...base, use: z.literal('sig'), crv: z.literal('Ed25519') }),
  // RFC 7517 §4.2 allows further uses; libraries that look for `sig` ignore these keys.
  z.object({ ...base, use: z.literal('audit'), crv: z.literal('Ed25519') }),
  z.object({ ...base, use: z.literal('enc'), crv: z.literal('X25519') }),
]);
/** Key for MACs. It has no public half: only the service that creates a MAC checks it. */
const macJwk = z.object({
  kty: z.literal('oct'),
  use: z.literal('mac'),
  kid: z.string().min(1).max(100),
  /** 32 bytes, base64url. */
  k: z.string().length(43),
  /**
   * Time from which the key creates nothing. Its earlier MACs remain valid on rows that are never rewritten (audit
   * entries).
   */
  ended: z.iso.datetime().optional(),
});
const privateJwk = publicJwk.and(z.object({ d: z.string() }));
const ownJwk = z.union([privateJwk, macJwk]);
const keysFile = z.object({ keys: z.array(ownJwk).min(1) });
const peersFile = z.record(z.string(), z.object({ keys: z.array(publicJwk) }));

export type PublicJwk = z.output<typeof publicJwk>;
export type PrivateJwk = z.output<typeof privateJwk>;
/** Key in a service's own file. */
export type OwnJwk = z.output<typeof ownJwk>;
type MacJwk = z.output<typeof macJwk>;
export type KeyUse = OwnJwk['use'];
export const keyUses = ['sig', 'enc', 'audit', 'mac'] as const satisfies readonly KeyUse[];

export type NamedKey = { kid: string; key: KeyObject };
export type ServiceKeys = {
  /** Signing keys, all private; the first signs. */
  signing: readonly NamedKey[];
  /** Signs checkpoints of the audit log and nothing else; undefined in a service without an audit log. */
  auditing: NamedKey | undefined;
  /** Keys that open, by kid; others seal to the first. */
  opening: ReadonlyMap<string, KeyObject>;
  /** Keys for MACs over rows, by kid; the first creates them, all check. Empty in a service without a database. */
  mac: ReadonlyMap<string, KeyObject>;
  /** Ended keys for MACs, by kid: for audit entries written before their end. */
  endedMac: ReadonlyMap<string, { readonly key: KeyObject; readonly endedAtMs: number }>;
};
export type PeerKeys = {
  /** Verifies the peer's statements, by kid. */
  verifying: ReadonlyMap<string, KeyObject>;
  /** Verifies checkpoints of the peer's audit log and nothing else, by kid. */
  auditing: ReadonlyMap<string, KeyObject>;
  /** Key to seal to this peer; undefined if the peer has none. */
  sealing: NamedKey | undefined;
  /** All its public keys of use `enc`, by kid: messages on the bus are sealed between two of them. */
  agreeing: ReadonlyMap<string, KeyObject>;
};

export type KeyMaterial = {
  own: ServiceKeys;
  peers: ReadonlyMap<string, PeerKeys>;
  /** Digest of both files: equal digest, equal keys. */
  digest: string;
};

/**
 * Reads both key files. A service's own entry among the peers is built from its private keys. So an outdated peers file
 * cannot make it seal to itself with a key it no longer has.
 *
 * @param known digest of the former reading: equal content is not parsed again, and undefined is returned. It compares
 * the content, not the time: a file system's clock is coarse, and a mounted secret may keep its time
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
  // Signatures under one of its former keys remain valid as long as the peers file lists the key.
  const former = peers.get(service);
  peers.set(service, {
    ...itself,
    verifying: new Map([...(former?.verifying ?? []), ...itself.verifying]),
    auditing: new Map([...(former?.auditing ?? []), ...itself.auditing]),
  });
  return { own, peers, digest };
}

/**
 * Reads the file of public keys.
 * @throws Error that names the file
 */
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

/**
 * Checks that each key has one use. A key copied under another use would let the key for calls sign the audit log too.
 */
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
    // No cause: the parser's message quotes the file, which holds private keys.
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
  for (const use of listKeyUses(service)) {
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

/** Lists the key uses of a service. A service without a database has neither audit log nor rows. */
export function listKeyUses(service: string): KeyUse[] {
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
