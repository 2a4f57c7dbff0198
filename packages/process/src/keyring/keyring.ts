import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import type { z } from 'zod';
import type { keySettings } from '../config/fragments.ts';
import { signCheckpoint, verifyCheckpoint } from './audit-checkpoint.ts';
import { type KeyMaterial, readKeyFiles, readPeersFile } from './key-files.ts';
import { KeyringError } from './keyring-error.ts';
import { type PublicSigningKey, publicSigningKeys } from './public-keys.ts';
import { isMac, makeMac, readKid } from './row-mac.ts';
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
  /**
   * Seals to the newest sealing key of a service (also of this one), for one purpose only.
   * @returns compact JWE
   */
  sealTo(service: string, data: Uint8Array | string, binding: SealBinding): Promise<string>;
  /**
   * Opens the seals of this service's calls and answers, with the current keys at each use. Open it once per process:
   * it remembers the calls it has received.
   */
  openCallSeals(options: Omit<CallSealsDeps, 'self' | 'keys'>): CallSeals;
  /** Returns the id of the key to which `sealTo` seals now, for callers that store sealed values. */
  sealingKeyOf(service: string): string | undefined;
  /**
   * Opens a value sealed to this service for that purpose, with its present key or an older one. `binding.owner` is
   * what the caller itself knows (its row, its own input), never a part of the value's message.
   * @throws KeyringError
   */
  open(jwe: string, binding: SealBinding): Promise<Uint8Array>;
  openText(jwe: string, binding: SealBinding): Promise<string>;
  /**
   * Signs a permanent statement of this service, as a compact JWS; signed anew each time. `iss` is the service unless
   * the claims have one.
   */
  signStatement(type: string, claims: object): string;
  /** Returns the public keys of a service for verifying its statements. */
  publicSigningKeys(service: string): PublicSigningKey[];
  /**
   * Signs a checkpoint of this service's audit log, as a compact JWS with `iss`, with the key that signs nothing else.
   * @throws Error in a service without an audit log
   */
  signCheckpoint(claims: object): string;
  /**
   * Computes HMAC-SHA-256 with the service's present key for MACs, as `<kid>.<base64url>`. The key serves nothing else.
   * @throws Error in a service without one
   */
  mac(data: string): string;
  /** Tells whether one of the service's keys for MACs has created the MAC, over exactly these data. */
  isMac(data: string, mac: string): boolean;
  /**
   * Tells whether one of the keys has created the MAC by that time. A key that has ended is valid for data written
   * before its end: for rows that are never rewritten, and whose time the service cannot choose.
   */
  isMacOfTime(data: string, mac: string, writtenAtMs: number): boolean;
  /** Tells whether the present key created the MAC; a former key's MAC must be replaced before the key can end. */
  isPresentMac(mac: string): boolean;
  /**
   * Reads the key files again. From then on added keys are known and removed ones refused, even if a verdict was
   * cached.
   * @returns true if anything changed
   * @throws Error as at the start, and continues with the present keys
   */
  reread(): Promise<boolean>;
} & StatementVerifier &
  CheckpointVerifier;

export interface StatementVerifier {
  /** @throws KeyringError `malformed`, `unknown-key` or `not-authentic` */
  verifyStatement(jws: string, expected: ExpectedStatement): SignedStatement;
  /** Tells whether signatures of that key are still valid, for callers that cache verified ones. */
  knowsKey(service: string, kid: string): boolean;
}

export interface CheckpointVerifier {
  /**
   * @throws KeyringError `malformed`, `unknown-key`, `not-authentic`, or `wrong-use` for a key that may sign no
   * checkpoint
   */
  verifyCheckpoint(jws: string, issuer: string): SignedStatement;
}

/** Loads a keyring for a command. Long-running processes use `openKeyring`, which follows the files. */
export async function loadKeyring(settings: z.output<typeof keySettings>, service: string): Promise<Keyring> {
  const material = await readKeyFiles(settings, service);
  if (material === undefined) throw new Error('what was never read cannot be unchanged');
  return createKeyring({ settings, service }, material);
}

/** Loads a verifier for an auditor: only public keys. */
export async function loadCheckpointVerifier(peersPath: string): Promise<CheckpointVerifier> {
  const peers = await readPeersFile(peersPath);
  return { verifyCheckpoint: (jws, issuer) => verifyCheckpoint(jws, issuer, peers) };
}

interface KeyringOptions {
  readonly settings: z.output<typeof keySettings>;
  readonly service: string;
}

/**
 * Builds everything that depends on the keys and is replaced with them: a cached value of an ended key would outlive
 * it.
 */
function buildKeyState(material: KeyMaterial, { service }: Pick<KeyringOptions, 'service'>) {
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
  let keys = buildKeyState(material, options);
  return {
    async reread() {
      const next = await readKeyFiles(settings, service, keys.digest);
      if (next === undefined) return false;
      keys = buildKeyState(next, options);
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
      const ended = keys.own.endedMac.get(readKid(mac));
      if (ended === undefined) return isMac(keys.own.mac, data, mac);
      return writtenAtMs <= ended.endedAtMs && isMac(new Map([[readKid(mac), ended.key]]), data, mac);
    },
    isPresentMac: (mac) => readKid(mac) === keys.own.mac.keys().next().value,
  };
}
