import { ConfigError, type Keyring } from '@rubrica/process';
import type { AuthorityKeys } from './authority-keys.ts';
import type { TokenSettings } from './authority-settings.ts';
import { sealedKeys } from './local/sealed-keys.ts';

export interface OpenKeys extends AuthorityKeys {
  /** Responders' keys are made here whatever makes those of authorities. */
  readonly local: AuthorityKeys;
  close(): Promise<void>;
}

export interface KeyPlaces {
  readonly token: TokenSettings;
  /** Where new keys are made; nowhere for those who only open. */
  readonly making?: { readonly issuer: 'local' | 'pkcs11'; readonly keyLabel: string } | undefined;
}

/** Network HSMs answer within milliseconds; one that fails over takes seconds. */
const tokenTimeoutMs = 15_000;

/** The keys of authorities wherever they live. A token's module is loaded with the first key that is in one. */
export function openKeys({ token, making }: KeyPlaces, keyring: Pick<Keyring, 'sealTo' | 'open'>): OpenKeys {
  const local = sealedKeys(keyring);
  let inToken: ReturnType<typeof openToken> | undefined;
  const tokenKeys = async () => {
    inToken ??= openToken(token, making?.keyLabel ?? '');
    return (await inToken).keys;
  };
  return {
    local,
    make: async (...what) => (making?.issuer === 'pkcs11' ? await tokenKeys() : local).make(...what),
    open: async (reference, ...of) =>
      (reference.kind === 'pkcs11' ? await tokenKeys() : local).open(reference, ...of),
    async close() {
      const opened = await inToken?.catch(() => undefined);
      await opened?.token.close();
    },
  };
}

/** @throws ConfigError when a setting of the token is missing */
export async function openToken({ module, label, pin }: TokenSettings, labelPrefix: string) {
  if (module === undefined || label === undefined || pin === undefined) {
    throw new ConfigError([
      'PKCS11_MODULE, PKCS11_TOKEN_LABEL and PKCS11_PIN are required for a key in an HSM',
    ]);
  }
  const { loadCryptoki } = await import('./pkcs11/cryptoki.ts');
  const { createToken } = await import('./pkcs11/token.ts');
  const { tokenKeys } = await import('./pkcs11/token-keys.ts');
  const cryptoki = await loadCryptoki(module);
  const token = createToken(cryptoki, { label, pin, timeoutMs: tokenTimeoutMs });
  return { token, keys: tokenKeys({ cryptoki, token, labelPrefix }) };
}
