import type { z } from 'zod';
import type { StatementVerifier } from './keyring.ts';
import { KeyringError } from './keyring-error.ts';
import type { ExpectedStatement } from './signed-statement.ts';

/** Largest difference between the clocks of two hosts. */
const skewMs = 30_000;

export interface StatementKind<Schema extends z.ZodType> extends ExpectedStatement {
  readonly schema: Schema;
  /** Longest life that the issuer may set; undefined: the statement is permanent and has no `exp`. */
  readonly lifeMs?: number | undefined;
}

interface ReadStatementDeps {
  readonly keyring: Pick<StatementVerifier, 'verifyStatement'>;
  readonly nowMs: number;
}

export type StatementReading<Claims> =
  | { readonly kind: 'valid'; readonly claims: Claims }
  | { readonly kind: 'refused'; readonly error: Error };

/**
 * Reads the claims of a compact JWS of another service. A missing one is refused like a forged one. Times are seconds
 * since 1970, as in RFC 7519: the statement must be in force at `nowMs`, and live no longer than its kind may.
 */
export function readStatement<Schema extends z.ZodType>(
  jws: string | undefined,
  { schema, lifeMs, ...expected }: StatementKind<Schema>,
  { keyring, nowMs }: ReadStatementDeps,
): StatementReading<z.output<Schema>> {
  try {
    const { claims } = keyring.verifyStatement(jws ?? '', expected);
    const read = schema.safeParse(claims);
    if (!read.success) return refused(read.error);
    if (lifeMs !== undefined && !isInForce(claims, { lifeMs, nowMs }))
      return refused(new KeyringError('expired', 'the statement is not in force'));
    return { kind: 'valid', claims: read.data };
  } catch (error) {
    if (error instanceof KeyringError) return refused(error);
    throw error;
  }
}

function isInForce(
  { iat, exp }: Readonly<Record<string, unknown>>,
  { lifeMs, nowMs }: { readonly lifeMs: number; readonly nowMs: number },
): boolean {
  if (typeof iat !== 'number' || typeof exp !== 'number') return false;
  return iat * 1_000 <= nowMs + skewMs && exp * 1_000 > nowMs && (exp - iat) * 1_000 <= lifeMs;
}

function refused(error: Error): StatementReading<never> {
  return { kind: 'refused', error };
}
