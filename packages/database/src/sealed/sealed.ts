declare const sealedBrand: unique symbol;
/** Compact JWE that only the service it is sealed to can open. */
export type Sealed = string & { readonly [sealedBrand]: true };

/**
 * Type for columns that hold secrets, for a service's first migration. PostgreSQL refuses a value that does not begin
 * like a compact JWE (RFC 7516, section 7.1), so that a forgotten seal fails instead of storing plaintext. Only the
 * first parts are examined: the ciphertext may be large. Never edit.
 */
export const sealedSql = `
create domain sealed as text constraint sealed_check
  check (value ~ '^eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]+\\.');
`;
