import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import type { z } from 'zod';
import type { keySettings } from '../config/fragments.ts';
import { signCheckpoint, verifyCheckpoint } from './audit-checkpoint.ts';
import { type KeyMaterial, readKeyFiles, readPeersFile } from './key-files.ts';
import { KeyringError } from './keyring-error.ts';
import { type PublicSigningKey, publicSigningKeys } from './public-keys.ts';
import { isMac, kidOf, makeMac } from './row-mac.ts';
import { type CallSeals, type CallSealsDeps, createCallSeals } from './sealed/call-seals.ts';
import { createOpenMessage } from './sealed/open-message.ts';
import { createSealMessage } from './sealed/seal-message.ts';
import {
  type ExpectedStatement,
  type SignedStatement,
  signStatement,
  verifyStatement,
} from './signed-statement.ts';

export type Keyring = {
  /** Seals to the newest sealing key of a service (also of this one), for one use only. @returns compact JWE */
  sealTo(service: string, data: Uint8Array | string, binding: SealBinding): Promise<string>;
  /** Seals calls of this service and its answers, by the keys as they are at each. Open it once in a process: it knows what it took. */
  openCallSeals(options: Omit<CallSealsDeps, 'self' | 'keys'>): CallSeals;
  /** The id of the key that `sealTo` seals to now, for who keeps what it has sealed. */
  sealingKeyOf(service: string): string | undefined;
  /**
   * Opens what was sealed to this service for that use, by its present key or an older one. `binding.owner` is what
   * the caller knows of itself (its row, its own input), never what came with the value.
   * @throws KeyringError
   */
  open(jwe: string, binding: SealBinding): Promise<Uint8Array>;
  openText(jwe: string, binding: SealBinding): Promise<string>;
  /** What this service says for good, as a compact JWS; made anew each time. `iss` is the service unless the claims have one. */
  signStatement(type: string, claims: object): string;
  /** The public halves of what a service signs statements with, for whoever must verify them. */
  publicSigningKeys(service: string): PublicSigningKey[];
  /**
   * A checkpoint of this service's audit log, as a compact JWS with `iss`, by the key that signs nothing else.
   * @throws Error in a service that keeps no audit log
   */
  signCheckpoint(claims: object): string;
  /**
   * HMAC-SHA-256 by the service's present key for MACs, as `<kid>.<base64url>`. The key is for nothing else.
   * @throws Error in a service that has none
   */
  mac(data: string): string;
  /** Whether one of the service's keys for MACs has made it, over exactly these data. */
  isMac(data: string, mac: string): boolean;
  /**
   * Tells whether one of the keys has made it by then. A key that was ended counts for what was written before its end: for rows that are
   * never written anew, and whose time the service cannot choose.
   */
  isMacOfTime(data: string, mac: string, writtenAtMs: number): boolean;
  /** Whether the present key made it; a former one has to be replaced before it can be ended. */
  isPresentMac(mac: string): boolean;
  /**
   * Reads the key files again. From then on what was added is known and what was taken out is refused, also where a
   * verdict was remembered.
   * @returns whether there was anything new
   * @throws Error as at the start, and goes on with the keys it has
   */
  reread(): Promise<boolean>;
} & StatementVerifier &
  CheckpointVerifier;

export interface StatementVerifier {
  /** @throws KeyringError `malformed`, `unknown-key` or `not-authentic` */
  verifyStatement(jws: string, expected: ExpectedStatement): SignedStatement;
  /** Whether what that key of a service has signed still counts, for who remembers that it was verified. */
  knowsKey(service: string, kid: string): boolean;
}

export interface CheckpointVerifier {
  /** @throws KeyringError `malformed`, `unknown-key`, `not-authentic`, or `wrong-use` for a key that may sign none */
  verifyCheckpoint(jws: string, issuer: string): SignedStatement;
}

/** For commands. What goes on running opens its keyring with `openKeyring`, which follows the files. */
export async function loadKeyring(settings: z.output<typeof keySettings>, service: string): Promise<Keyring> {
  const material = await readKeyFiles(settings, service);
  if (material === undefined) throw new Error('what was never read cannot be unchanged');
  return createKeyring({ settings, service }, material);
}

/** For an auditor: public keys, no private one. */
export async function loadCheckpointVerifier(peersPath: string): Promise<CheckpointVerifier> {
  const peers = await readPeersFile(peersPath);
  return { verifyCheckpoint: (jws, issuer) => verifyCheckpoint(jws, issuer, peers) };
}

interface KeyringOptions {
  readonly settings: z.output<typeof keySettings>;
  readonly service: string;
}

/** All that stands on the same keys, and goes with them: what is remembered of a key that was ended would outlive it. */
function onKeys(material: KeyMaterial, { service }: Pick<KeyringOptions, 'service'>) {
  const [signingKey] = material.own.signing;
  if (!signingKey) throw new Error(`${service} has no signing key`);
  return {
    ...material,
    signingKey,
    sealMessage: createSealMessage(Date.now),
    openMessage: createOpenMessage(material.own.opening, Date.now),
  };
}

function createKeyring(options: KeyringOptions, material: KeyMaterial): Keyring {
  const { settings, service } = options;
  let keys = onKeys(material, options);
  return {
    async reread() {
      const next = await readKeyFiles(settings, service, keys.digest);
      if (next === undefined) return false;
      keys = onKeys(next, options);
      return true;
    },
    async sealTo(recipient, data, binding) {
      const key = keys.peers.get(recipient)?.sealing;
      if (!key) throw new KeyringError('unknown-peer', `no sealing key of ${recipient} is known`);
      return keys.sealMessage(typeof data === 'string' ? Buffer.from(data, 'utf8') : data, key, binding);
    },
    openCallSeals: (options) => createCallSeals({ ...options, self: service, keys: () => keys }),
    sealingKeyOf: (service) => keys.peers.get(service)?.sealing?.kid,
    open: async (jwe, binding) => keys.openMessage(jwe, binding),
    openText: async (jwe, binding) => keys.openMessage(jwe, binding).toString('utf8'),
    signStatement: (type, claims) => signStatement(keys.signingKey, type, { iss: service, ...claims }),
    verifyStatement: (jws, expected) => verifyStatement(jws, expected, keys.peers),
    knowsKey: (name, kid) => keys.peers.get(name)?.verifying.has(kid) ?? false,
    publicSigningKeys: (name) => publicSigningKeys(keys.peers.get(name)),
    signCheckpoint(claims) {
      const { auditing } = keys.own;
      if (auditing === undefined) throw new Error(`${service} keeps no audit log and has no key for one`);
      return signCheckpoint(auditing, { iss: service, ...claims });
    },
    verifyCheckpoint: (jws, issuer) => verifyCheckpoint(jws, issuer, keys.peers),
    mac(data) {
      const [present] = keys.own.mac;
      if (present === undefined) throw new Error(`${service} has no key for MACs`);
      return makeMac(present, data);
    },
    isMac: (data, mac) => isMac(keys.own.mac, data, mac),
    isMacOfTime(data, mac, writtenAtMs) {
      const ended = keys.own.endedMac.get(kidOf(mac));
      if (ended === undefined) return isMac(keys.own.mac, data, mac);
      return writtenAtMs <= ended.endedAtMs && isMac(new Map([[kidOf(mac), ended.key]]), data, mac);
    },
    isPresentMac: (mac) => kidOf(mac) === keys.own.mac.keys().next().value,
  };
}
