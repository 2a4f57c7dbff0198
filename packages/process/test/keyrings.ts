import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GeneratedKeys, generateServiceKeys } from '../src/keyring/generate-keys.ts';
import { type Keyring, loadKeyring } from '../src/keyring/keyring.ts';

export type Keys = Record<'gateway' | 'intake' | 'generation', GeneratedKeys>;

/** Three services with real key files in a folder of their own, and a clock that a test may move. */
export async function createKeyrings() {
  const folder = await mkdtemp(join(tmpdir(), 'keyring-'));
  const clock = { nowMs: Date.now() };
  const keys: Keys = {
    gateway: generateServiceKeys('gateway'),
    intake: generateServiceKeys('intake'),
    generation: generateServiceKeys('generation'),
  };
  let files = 0;
  const filesOf = (service: keyof Keys) => ({
    keysFile: join(folder, `${files}-${service}.json`),
    peersFile: join(folder, `${files}-peers.json`),
  });
  return {
    folder,
    clock,
    /** What the files hold from the next `keyringOf` on. */
    keys,
    /** Of the keyring that was made last. */
    filesOf,
    async keyringOf(service: keyof Keys, own: GeneratedKeys = keys[service]): Promise<Keyring> {
      files += 1;
      const { keysFile, peersFile } = filesOf(service);
      const peers = Object.fromEntries(Object.entries(keys).map(([name, set]) => [name, set.publicJwks]));
      await writeFile(keysFile, JSON.stringify(own.privateJwks));
      await writeFile(peersFile, JSON.stringify(peers));
      return loadKeyring({ keysFile, peersFile }, service);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
