import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { recordAudit } from '@rubrica/audit/log';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { findIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { AccessDeps } from '../deps.ts';
import { countQuota } from './count-quota.ts';
import { PartnerKeyEntity } from './keys/partner-key.entity.ts';
import { assertLogo, changeLogo, describeLogo } from './logo/stored-logos.ts';
import type { Partner } from './partner.entity.ts';
import type { PartnerDeps } from './partner-directory.ts';
import { toPartnerState, viewPartner } from './partner-view.ts';
import { endRights, lockPartner } from './tokens/end-partner-tokens.ts';

type Input = OperatorInput<'partners.update'>;
type UpdatePartnerDeps = Pick<AccessDeps, 'database' | 'clock' | 'rows' | 'timeZone'> & PartnerDeps;

/**
 * @throws AppError REQUEST_NOT_FOUND, FIELD_INVALID, or REQUEST_STATE_NOT_ALLOWED for a partner that could no
 *   longer authenticate
 */
export function createUpdatePartner(deps: UpdatePartnerDeps): AdministratorChange<'partners.update'> {
  return {
    async loadBefore(em, { id, clientSecretEnabled, logo }) {
      assertLogo(logo);
      const partner = await lockPartner(em, id);
      if (clientSecretEnabled === false) await assertHasKey(em, id);
      return { ...toPartnerState(partner), logo: await describeLogo(em, id) };
    },
    async make(em, input, operator) {
      const { id, reason, logo, ...changes } = input;
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const partner = await lockPartner(em, id);
      if (removesRights(partner, input)) endRights(partner);
      const now = deps.clock();
      em.assign(partner, { ...given, updatedAt: now });
      if (input.quota !== undefined) {
        await em.flush();
        await countQuota.run(em, { partnerId: partner.id, now, timeZone: deps.timeZone });
      }
      const changed = logo === undefined ? given : { ...given, logoSha256: await changeLogo(em, id, logo) };
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.update',
        target: `partner:${id}`,
        reason,
        details: changed,
      });
    },
    answer(_, { id }) {
      deps.partners.forget(id);
      return viewPartner(deps, id);
    },
    loadPresent: ({ id }) => viewPartner(deps, id),
  };
}

/** Returns true if the change removes a scope, disables the secret or disables the partner. */
function removesRights(partner: Partner, { scopes, enabled, clientSecretEnabled }: Input): boolean {
  if (enabled === false && partner.enabled) return true;
  if (clientSecretEnabled === false && partner.clientSecretEnabled) return true;
  return scopes !== undefined && partner.scopes.some((scope) => !scopes.includes(scope));
}

async function assertHasKey(em: EntityManager, partnerId: string): Promise<void> {
  // Loaded rather than counted: a key that was written past this service opens nothing.
  if ((await findIntact(em, PartnerKeyEntity, { partnerId, removedAt: null })).length > 0) return;
  throw new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('partner.keyNeeded'),
  });
}
