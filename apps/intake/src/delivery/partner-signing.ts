import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { recordAudit, statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { assertStanding } from '../operators/standing.ts';
import { createAskingOperator } from './asking-operator.ts';
import { type StoredSecrets, sealedSecretsOf, secretsInForce } from './secrets-in-force.ts';

const find = statement<
  { readonly partnerId: string; readonly now: Date },
  { readonly secrets: StoredSecrets; readonly envelope: boolean }
>({
  name: 'partner-signing',
  sql: `select ${secretsInForce('partner.id', ':now')} as secrets, envelope from partner where id = :partnerId`,
});

type PartnerSigning = UseCase<'intake', 'partners.signing'>;

/**
 * What a test call to the partner is signed with, for the operator who asks for one, and written down.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, REQUEST_NOT_FOUND
 */
export function createPartnerSigning(
  deps: Pick<IntakeDeps, 'database' | 'clock' | 'tokenClock' | 'keyring' | 'rows'>,
): PartnerSigning {
  const { role } = operatorProcedures['deliveries.ping'];
  const askingOperator = createAskingOperator(deps);
  return async ({ partnerId, operatorToken }) => {
    const operator = await askingOperator(operatorToken, role);
    return deps.database.transaction(async (em) => {
      await assertStanding(em, operator, role);
      const [row] = await find.run(em, { partnerId, now: deps.clock() });
      if (!row) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.signing',
        target: `partner:${partnerId}`,
      });
      return { partnerId, envelope: row.envelope, sealedSecrets: sealedSecretsOf(row.secrets, deps.rows) };
    });
  };
}
