import { recordAudit } from '@rubrica/audit/log';
import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { statement } from '@rubrica/database/statement';
import { AppError, invalidField } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import type { RequestsDeps } from '../deps.ts';
import { judgeCallbackUrl } from '../request/callback-url.ts';
import { type StoredSecrets, secretsInForceSql, selectSealedSecrets } from './grant-attempt.ts';
import { createFindRequestingParty } from './requesting-party.ts';

const find = statement<
  { readonly partnerId: string; readonly now: Date },
  { readonly secrets: StoredSecrets; readonly envelope: boolean }
>({
  name: 'partner-signing',
  sql: `select ${secretsInForceSql('partner.id', ':now')} as secrets, envelope from partner where id = :partnerId`,
});

type PartnerSigning = UseCase<'intake', 'partners.signing'>;

/**
 * Hands out the secrets that sign a test call to the partner, to the operator or partner who asks for one,
 * and audits it. A partner's call follows the rules of `callbackUrl`.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, REQUEST_NOT_FOUND, CALLBACK_URL_NOT_ALLOWED
 */
export function createPartnerSigning(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'tokenClock' | 'keyring' | 'rows' | 'rules'>,
): PartnerSigning {
  const { role } = operatorProcedures['deliveries.ping'];
  const findAskingParty = createFindRequestingParty(deps);
  return async ({ partnerId, operatorToken: callToken, url }) => {
    const requester = await findAskingParty({ callToken, partnerId, role });
    if (requester.isPartner) assertCallbackUrl(url, deps.rules);
    return deps.database.transaction(async (em) => {
      await requester.assertStanding(em);
      const [row] = await find.run(em, { partnerId, now: deps.clock() });
      if (!row) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
      await recordAudit(em, {
        actor: requester.actor,
        action: 'partners.signing',
        target: `partner:${partnerId}`,
      });
      return {
        partnerId,
        envelope: row.envelope,
        sealedSecrets: selectSealedSecrets(row.secrets, deps.rows),
      };
    });
  };
}

function assertCallbackUrl(url: string | undefined, rules: RequestsDeps['rules']): void {
  const options = { allowLoopback: rules.callbackAllowLoopback };
  if (url !== undefined && judgeCallbackUrl(url, options) === undefined) return;
  const text = createFieldText('url', createText('field.publicUrl'));
  throw invalidField('url', text, { code: 'CALLBACK_URL_NOT_ALLOWED' });
}
