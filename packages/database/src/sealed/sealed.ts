declare const sealedBrand: unique symbol;
/** A compact JWE that only the service it is sealed to can open. */
export type Sealed = string & { readonly [sealedBrand]: true };

/**
 * A type for columns that hold secrets, for a service's first migration: PostgreSQL refuses whatever does not
 * begin like a compact JWE (RFC 7516, section 7.1), so that a forgotten seal fails instead of storing
 * plaintext. Only the first parts are looked at: the ciphertext may be large. Never edit.
 */
export const sealedSql = `
create domain sealed as text constraint sealed_check
  check (value ~ '^eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]+\\.');
`;

/** The part of a service's keyring used here. */
export interface SealingKeyring {
  sealTo(service: string, data: Uint8Array | string): Promise<string>;
  open(jwe: string): Promise<Uint8Array>;
}

export interface Sealer {
  seal(data: Uint8Array | string): Promise<Sealed>;
  open(value: Sealed): Promise<Uint8Array>;
  openText(value: Sealed): Promise<string>;
}

/** Seals what the service keeps for itself. Never inside a transaction: sealing is slow next to a statement. */
export function createSealer(options: { keyring: SealingKeyring; service: string }): Sealer {
  const { keyring, service } = options;
  return {
    seal: async (data) => (await keyring.sealTo(service, data)) as Sealed,
    open: (value) => keyring.open(value),
    openText: async (value) => new TextDecoder('utf-8', { fatal: true }).decode(await keyring.open(value)),
  };
}
