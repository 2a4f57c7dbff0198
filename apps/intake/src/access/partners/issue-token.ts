import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { recordAudit } from '@rubrica/audit/log';
import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { AppError } from '@rubrica/process/errors';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { AccessDeps } from '../deps.ts';
import { ApiTokenEntity } from './partner.entity.ts';
import { makeApiToken } from './partner-secrets.ts';
import { toPartnerState, viewPartner } from './partner-view.ts';
import { lockPartner } from './tokens/end-partner-tokens.ts';

type IssueTokenDeps = Pick<AccessDeps, 'database' | 'clock' | 'newId' | 'keyring' | 'rows'>;
type Input = OperatorInput<'partners.issueToken'>;

interface IssuedToken {
  readonly tokenId: string;
  /** Shown once, to its owner. */
  readonly token: string;
  readonly expiresAt: string;
  /** Operator to whom it is shown. */
  readonly owner: string;
}

const maxTokenDays = 731;

/** @throws AppError FIELD_INVALID for an expiry in the past or too far ahead; REQUEST_NOT_FOUND */
export function createIssueToken(
  deps: IssueTokenDeps,
): AdministratorChange<'partners.issueToken', IssuedToken> {
  const parseExpiry = ({ expiresAt: text }: Input): Date => {
    const expiresAt = new Date(text);
    const daysAhead = (expiresAt.getTime() - deps.clock().getTime()) / DAY_MS;
    if (daysAhead > 0 && daysAhead <= maxTokenDays) return expiresAt;
    throw new AppError({
      code: 'FIELD_INVALID',
      text: createFieldText('expiresAt', createText('field.expiry')),
    });
  };
  return {
    async loadBefore(em, input) {
      parseExpiry(input);
      return { partner: toPartnerState(await lockPartner(em, input.id)) };
    },
    async make(em, input, operator) {
      const { id, name, scopes, reason } = input;
      const expiresAt = parseExpiry(input);
      const token = makeApiToken();
      const tokenId = deps.newId();
      const partner = await lockPartner(em, id);
      em.create(ApiTokenEntity, {
        id: tokenId,
        partnerId: id,
        name,
        tokenSha256: sha256Hex(token),
        scopes: scopes ?? [...partner.scopes],
        createdAt: deps.clock(),
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
      return { tokenId, token, expiresAt: expiresAt.toISOString(), owner: operator.operatorId };
    },
    async answer({ token, owner, ...issued }) {
      const sealed = await deps.keyring.sealTo('gateway', token, { purpose: 'api-token', owner });
      return { ...issued, token: sealed };
    },
    loadPresent: ({ id }) => viewPartner(deps, id),
  };
}
