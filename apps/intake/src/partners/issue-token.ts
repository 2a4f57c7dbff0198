import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { recordAudit } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { ApiTokenEntity, PartnerEntity } from './partner.entity.ts';
import { partnerNotFound } from './partner-not-found.ts';
import { makeApiToken } from './partner-secrets.ts';

type IssueToken = OperatorUseCase<'partners.issueToken'>;
type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'newId' | 'keyring'>;

const longestTokenDays = 731;

/** @throws AppError FIELD_INVALID for an expiry in the past or too far ahead */
export function createIssueToken(deps: Needs): IssueToken {
  return async (input, { caller: operator }) => {
    const { id, name, scopes, reason } = input;
    const now = deps.clock();
    const expiresAt = new Date(input.expiresAt);
    const daysAhead = (expiresAt.getTime() - now.getTime()) / DAY_MS;
    if (daysAhead <= 0 || daysAhead > longestTokenDays)
      throw new AppError({
        code: 'FIELD_INVALID',
        publicMessage: 'expiresAt must be in the future, at most two years ahead',
      });
    const token = makeApiToken();
    const tokenId = deps.newId();
    await deps.database.transaction(async (em) => {
      const partner = await em.findOne(PartnerEntity, { id });
      if (!partner) throw partnerNotFound();
      em.create(ApiTokenEntity, {
        id: tokenId,
        partnerId: id,
        name,
        tokenSha256: sha256Hex(token),
        scopes: scopes ?? [...partner.scopes],
        createdAt: now,
        expiresAt,
        revokedAt: null,
      });
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.issueToken',
        target: `partner:${id}`,
        reason,
        details: { tokenId, name },
      });
    });
    const binding = { purpose: 'api-token', owner: operator.operatorId } as const;
    return {
      tokenId,
      token: await deps.keyring.sealTo('gateway', token, binding),
      expiresAt: expiresAt.toISOString(),
    };
  };
}
