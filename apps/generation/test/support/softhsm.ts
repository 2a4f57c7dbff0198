import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scratchDirectory } from '@rubrica/testkit';
import koffi from 'koffi';
import { loadCryptoki } from '../../src/issuers/pkcs11/cryptoki.ts';

const modules = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so',
];
const module = modules.find((path) => existsSync(path));

/** Why tests with a token are skipped; undefined when they are not. */
export const missingSoftHsm: string | undefined =
  module !== undefined && spawnSync('sh', ['-c', 'command -v softhsm2-util']).status === 0
    ? undefined
    : 'SoftHSM is not installed (Debian package softhsm2)';

export interface SoftHsm extends AsyncDisposable {
  readonly module: string;
  readonly label: string;
  readonly pin: string;
  /** For whoever uses the token. */
  readonly settings: Readonly<Record<string, string>>;
  /** For the root's place: another token, with another PIN. */
  readonly rootSettings: Readonly<Record<string, string>>;
  /** Ends every session in this process, as a token does that was pulled and put back. */
  loseSessions(): void;
  /** As if the token had been pulled out, until it is brought back. */
  takeAway(): Promise<void>;
  bringBack(): Promise<void>;
}

/** Makes a token in the real SoftHSM as its `softhsm2.conf` has it. */
export async function makeToken(
  configuration: string,
  identity: { label: string; pin: string },
): Promise<void> {
  const { label, pin } = identity;
  const args = ['--init-token', '--free', '--label', label, '--pin', pin, '--so-pin', 'officer-1234'];
  const env = { ...process.env, SOFTHSM2_CONF: configuration };
  await promisify(execFile)('softhsm2-util', args, { env });
}

/** The module's path. @throws Error that says what is missing */
export function softHsmModule(): string {
  if (module === undefined) throw new Error(missingSoftHsm);
  return module;
}

/** Two tokens in the real SoftHSM. Once per process: the module reads its configuration once. */
export async function softHsm(): Promise<SoftHsm> {
  if (module === undefined) throw new Error(missingSoftHsm);
  const scratch = await scratchDirectory('softhsm');
  const tokens = join(scratch.path, 'tokens');
  const away = join(scratch.path, 'away');
  await mkdir(tokens);
  const configuration = join(scratch.path, 'softhsm2.conf');
  await writeFile(configuration, `directories.tokendir = ${tokens}\n`);
  process.env.SOFTHSM2_CONF = configuration;
  const [label, pin] = ['authority', 'a-long-pin-1234'];
  await makeToken(configuration, { label, pin });
  const root = { label: 'root', pin: 'another-pin-5678' };
  await makeToken(configuration, root);
  const common = { SOFTHSM2_CONF: configuration, CA_ISSUER: 'pkcs11', PKCS11_MODULE: module };
  // Before any other library: how much stack calls get is settled with the first.
  await loadCryptoki(module);
  const library = koffi.load(module);
  const finalize = library.func('ulong C_Finalize(void *reserved)');
  const slotList = library.func('ulong C_GetSlotList(uint8_t present, void *list, void *count)');
  const closeAll = library.func('ulong C_CloseAllSessions(ulong slot)');
  return {
    module,
    label,
    pin,
    settings: { ...common, PKCS11_TOKEN_LABEL: label, PKCS11_PIN: pin },
    rootSettings: { ...common, PKCS11_TOKEN_LABEL: root.label, PKCS11_PIN: root.pin },
    loseSessions() {
      const [list, count] = [Buffer.alloc(64 * 8), Buffer.alloc(8)];
      count.writeBigUInt64LE(64n);
      slotList(1, list, count);
      for (let index = 0; index < Number(count.readBigUInt64LE()); index++) {
        closeAll(list.readBigUInt64LE(index * 8));
      }
    },
    // The module keeps in memory what it has seen, so it has to forget that too.
    async takeAway() {
      await rename(tokens, away);
      await mkdir(tokens);
      finalize(null);
    },
    async bringBack() {
      await rename(tokens, join(scratch.path, 'empty'));
      await rename(away, tokens);
      finalize(null);
    },
    [Symbol.asyncDispose]: async () => {
      finalize(null);
      await scratch[Symbol.asyncDispose]();
    },
  };
}
