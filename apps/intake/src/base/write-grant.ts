import * as grantsContract from '@rubrica/contracts/services/schemas/grants';
import type { BaseDeps } from './deps.ts';

type Fields<Purpose> = Omit<
  Extract<grantsContract.Grant, { purpose: Purpose }>,
  'iss' | 'aud' | 'jti' | 'iat' | 'exp'
>;

/**
 * A grant: intake's word to generation, for minutes, that one service may have one bundle, or have bundles purged.
 * Written where it is decided, once the decision is on file, and nowhere else.
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
