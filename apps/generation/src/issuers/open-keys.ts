import { ConfigError } from '@rubrica/process/config';
import type { Keyring } from '@rubrica/process/keyring';
import type { AuthorityKeys } from './authority-keys.ts';
import type { TokenSettings } from './authority-settings.ts';
import { createSealedKeys } from './local/sealed-keys.ts';

export interface OpenKeys extends AuthorityKeys {
  /** Store of responders' keys, which are always created here. */
  readonly local: AuthorityKeys;
  close(): Promise<void>;
}

export interface KeyStores {
  readonly token: TokenSettings;
  /** Store for new keys; undefined where keys are only opened. */
  readonly making?: { readonly issuer: 'local' | 'pkcs11'; readonly keyLabel: string } | undefined;
}

/** Network HSMs answer within milliseconds; a failover takes seconds. */
const tokenTimeoutMs = 15_000;

/** Opens the keys of authorities in every store. The module of a token is loaded with the first key that is in one. */
export function openKeys({ token, making }: KeyStores, keyring: Pick<Keyring, 'sealTo' | 'open'>): OpenKeys {
  const local = createSealedKeys(keyring);
  let tokenPromise: ReturnType<typeof openToken> | undefined;
  const tokenKeys = async () => {
    tokenPromise ??= openToken(token, making?.keyLabel ?? '');
    return (await tokenPromise).keys;
  };
  return {
    local,
    make: async (...args) => (making?.issuer === 'pkcs11' ? await tokenKeys() : local).make(...args),
    open: async (reference, ...args) =>
      (reference.kind === 'pkcs11' ? await tokenKeys() : local).open(reference, ...args),
    async close() {
      const opened = await tokenPromise?.catch(() => undefined);
      await opened?.token.close();
    },
  };
}

/**
 * Opens a token.
 * @throws ConfigError when one of its settings is missing
 */
export async function openToken({ module, label, pin }: TokenSettings, labelPrefix: string) {
  if (module === undefined || label === undefined || pin === undefined) {
    throw new ConfigError([
      'PKCS11_MODULE, PKCS11_TOKEN_LABEL and PKCS11_PIN are required for a key in an HSM',
    ]);
  }
  const { loadCryptoki } = await import('./pkcs11/cryptoki.ts');
  const { createToken } = await import('./pkcs11/token.ts');
  const { createTokenKeys: tokenKeys } = await import('./pkcs11/token-keys.ts');
  const cryptoki = await loadCryptoki(module);
  const token = createToken(cryptoki, { label, pin, timeoutMs: tokenTimeoutMs });
  return { token, keys: tokenKeys({ cryptoki, token, labelPrefix }) };
}
