import * as grantsContract from '@rubrica/contracts/services/schemas/grants';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { type Keyring, readStatement } from '@rubrica/process/keyring';
import type { Clock } from '@rubrica/process/time';

type GrantFor<Purpose> = Extract<grantsContract.Grant, { purpose: Purpose }>;

export interface GrantDeps {
  readonly keyring: Pick<Keyring, 'verifyStatement'>;
  readonly clock: Clock;
}

/**
 * Reads a grant that intake issued to the calling service. The check needs no row. A grant may be used again until it
 * expires: a caller that received no answer repeats the call and gets the same bundle, sealed to the same service. Its
 * expiry and the retention of the bundle limit it.
 * @param peer service that presents the grant, as the bus identifies it
 * @throws AppError FORBIDDEN
 */
export function readGrant<Purpose extends grantsContract.Grant['purpose']>(
  jws: string,
  { purpose, peer }: { readonly purpose: Purpose; readonly peer: ServiceName },
  { keyring, clock }: GrantDeps,
): GrantFor<Purpose> {
  const kind = {
    type: grantsContract.grantType,
    issuer: 'intake',
    schema: grantsContract.grantSchema,
    lifeMs: grantsContract.grantLifeMs,
  };
  const read = readStatement(jws, kind, { keyring, nowMs: clock().getTime() });
  if (read.kind === 'refused') throw forbidden(read.error);
  const { claims } = read;
  if (claims.purpose !== purpose) throw forbidden(new Error(`a grant to ${claims.purpose}`));
  if (claims.azp !== peer) throw forbidden(new Error(`${peer} shows a grant of ${claims.azp}`));
  return claims as GrantFor<Purpose>;
}

function forbidden(cause: Error): AppError {
  return new AppError({ code: 'FORBIDDEN', cause });
}
