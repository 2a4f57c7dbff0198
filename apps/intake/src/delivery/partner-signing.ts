import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { AppError } from '@rubrica/process';
import type { Dependencies } from '../dependencies.ts';
import { sealedSecretsOf } from './secrets-in-force.ts';

const text = `select ${sealedSecretsOf('partner.id', '$2')} as sealed_secrets from partner where id = $1`;

/**
 * What a test call to the partner is signed with.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createPartnerSigning({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) {
  return async ({ partnerId }: { partnerId: string }): Promise<intakeContract.PartnerSigning> => {
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
