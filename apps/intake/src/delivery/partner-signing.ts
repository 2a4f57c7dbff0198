import { statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { type StoredSecrets, sealedSecretsOf, secretsInForce } from './secrets-in-force.ts';

const find = statement<
  { readonly partnerId: string; readonly now: Date },
  { readonly secrets: StoredSecrets }
>({
  name: 'partner-signing',
  sql: `select ${secretsInForce('partner.id', ':now')} as secrets from partner where id = :partnerId`,
});

type PartnerSigning = UseCase<'intake', 'partners.signing'>;

/**
 * What a test call to the partner is signed with.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createPartnerSigning({
  database,
  clock,
  rows,
}: Pick<IntakeDeps, 'database' | 'clock' | 'rows'>): PartnerSigning {
  return async ({ partnerId }) => {
    const [row] = await find.run(database, { partnerId, now: clock() });
    if (!row) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
    return { partnerId, sealedSecrets: sealedSecretsOf(row.secrets, rows) };
  };
}
