import * as grantsContract from '@rubrica/contracts/services/schemas/grants';
import type { BaseDeps } from './deps.ts';

type Fields<Purpose> = Omit<
  Extract<grantsContract.Grant, { purpose: Purpose }>,
  'iss' | 'aud' | 'jti' | 'iat' | 'exp'
>;

/**
 * Signs a grant, which lets one service open one bundle, or have bundles purged, for minutes. Generation
 * accepts it as intake's statement. Grants are written only where the decision is made, once it is stored.
 */
export function writeGrant(
  fields: Fields<'release'> | Fields<'purge'>,
  { keyring, clock, newId }: Pick<BaseDeps, 'keyring' | 'clock' | 'newId'>,
): string {
  const iat = Math.floor(clock().getTime() / 1_000);
  return keyring.signStatement(grantsContract.grantType, {
    aud: 'generation',
    jti: newId(),
    iat,
    exp: iat + grantsContract.grantLifeMs / 1_000,
    ...fields,
  });
}
