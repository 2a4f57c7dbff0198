import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { sealedSecretsOf } from './secrets-in-force.ts';

const text = `select ${sealedSecretsOf('partner.id', '$2')} as sealed_secrets from partner where id = $1`;

type PartnerSigning = UseCase<'intake', 'partners.signing'>;

/**
 * What a test call to the partner is signed with.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createPartnerSigning({
  database,
  clock,
}: Pick<IntakeDeps, 'database' | 'clock'>): PartnerSigning {
  return async ({ partnerId }) => {
    const params = [partnerId, clock()];
    const [row] = await database.statement<{ sealed_secrets: string[] }>({
      name: 'partner-signing',
      text,
      params,
    });
    if (!row) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
    return { partnerId, sealedSecrets: row.sealed_secrets };
  };
}
