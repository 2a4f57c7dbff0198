import type { KeyObject } from 'node:crypto';
import type { Signer } from '@rubrica/pki';
import { z } from 'zod';
import type { KeyOptions } from '../../issuers/authority-keys.ts';
import { openToken } from '../../issuers/open-keys.ts';
import { CeremonyError } from '../ceremony.ts';
import { makePassphraseKey, openPassphraseKey, passphraseReference } from './passphrase-key.ts';
import type { RootConfig } from './root-settings.ts';

export const rootKeyReference = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pkcs11'), label: z.string() }),
  passphraseReference,
]);
export type RootKeyReference = z.infer<typeof rootKeyReference>;

export interface RootKeys {
  make(): Promise<{ reference: RootKeyReference; publicKey: KeyObject; sign: Signer }>;
  open(reference: RootKeyReference, publicKey: KeyObject, options?: KeyOptions): Promise<Signer>;
  close(): Promise<void>;
}

/** Opens the key of the root: in its own token, or under a passphrase that only people know. */
export function openRootKeys({ authority, passphrase }: RootConfig): RootKeys {
  const { token, issuer, keyLabel, keyAlgorithm } = authority;
  let opened: ReturnType<typeof openToken> | undefined;
  const tokenKeys = async () => {
    opened ??= openToken(token, keyLabel);
    return (await opened).keys;
  };
  return {
    async make() {
      if (issuer === 'local') return makePassphraseKey(keyAlgorithm, requirePassphrase(passphrase));
      const { reference, ...key } = await (await tokenKeys()).make('root', keyAlgorithm);
      if (reference.kind !== 'pkcs11') throw new Error('the key was not made in the token');
      return { reference, ...key };
    },
    async open(reference, publicKey, options) {
      return reference.kind === 'passphrase'
        ? openPassphraseKey(reference, publicKey, requirePassphrase(passphrase))
        : (await tokenKeys()).open(reference, publicKey, options);
    },
    async close() {
      const opening = await opened?.catch(() => undefined);
      await opening?.token.close();
    },
  };
}

function requirePassphrase(passphrase: string | undefined): string {
  if (passphrase === undefined) throw new CeremonyError('ROOT_PASSPHRASE is required with CA_ISSUER=local.');
  return passphrase;
}
