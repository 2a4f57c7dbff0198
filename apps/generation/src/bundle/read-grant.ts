import * as grantsContract from '@rubrica/contracts/services/schemas/grants';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { AppError, type Clock, type Keyring, KeyringError } from '@rubrica/process';

/** Between the clocks of two hosts. */
const skewMs = 30_000;

type GrantFor<Purpose> = Extract<grantsContract.Grant, { purpose: Purpose }>;

export interface GrantDeps {
  readonly keyring: Pick<Keyring, 'verifyStatement'>;
  readonly clock: Clock;
}

/**
 * What intake has granted, from the service that it was granted to. The verdict needs no row. A grant may be used
 * again within its minutes: who heard no answer has to ask once more, and gets the same bundle, sealed to the same
 * service. What bounds it is its end, and the retention of the bundle.
 * @param peer who shows it, as the bus has it
 * @throws AppError FORBIDDEN
 */
export function readGrant<Purpose extends grantsContract.Grant['purpose']>(
  jws: string,
  { purpose, peer }: { readonly purpose: Purpose; readonly peer: ServiceName },
  { keyring, clock }: GrantDeps,
): GrantFor<Purpose> {
  const read = grantsContract.grantSchema.safeParse(verifiedClaims(jws, keyring));
  if (!read.success) throw forbidden(read.error);
  const { azp, iat, exp } = read.data;
  if (read.data.purpose !== purpose) throw forbidden(new Error(`a grant to ${read.data.purpose}`));
  if (azp !== peer) throw forbidden(new Error(`${peer} shows a grant of ${azp}`));
  const nowMs = clock().getTime();
  if (exp * 1_000 <= nowMs) throw forbidden(new Error('a grant that has ended'));
  if (iat * 1_000 > nowMs + skewMs || (exp - iat) * 1_000 > grantsContract.grantLifeMs)
    throw forbidden(new Error('a grant with times that are not allowed'));
  return read.data as GrantFor<Purpose>;
}

function verifiedClaims(jws: string, keyring: GrantDeps['keyring']): unknown {
  try {
    return keyring.verifyStatement(jws, { type: grantsContract.grantType, issuer: 'intake' }).claims;
  } catch (error) {
    throw error instanceof KeyringError ? forbidden(error) : error;
  }
}

function forbidden(cause: Error): AppError {
  return new AppError({ code: 'FORBIDDEN', cause });
}
