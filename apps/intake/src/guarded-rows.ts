import {
  aloneChangeTable,
  approvalTable,
  guardedSqlTable,
  guardedTable,
  type RowGuard,
} from '@rubrica/database';
import type { Keyring, ServiceParts } from '@rubrica/process';
import { openRowGuard } from '@rubrica/wiring/database';
import { CodeTallyEntity, guardedTallyFields } from './access/factors/code-tries/code-tally.entity.ts';
import {
  guardedFactorFields,
  OperatorFactorEntity,
  OperatorRecoveryCodeEntity,
} from './access/factors/factor.entity.ts';
import { FactorMarkEntity } from './access/factors/factor-mark.entity.ts';
import { guardedInvitationFields, InvitationEntity } from './access/invitations/invitation.entity.ts';
import { guardedLetterFields, LetterEntity } from './access/letters/letter.entity.ts';
import { OperatorEntity } from './access/operators/operator.entity.ts';
import { OperatorIdentityEntity } from './access/operators/operator-identity.entity.ts';
import { PartnerKeyEntity } from './access/partners/keys/partner-key.entity.ts';
import { ApiTokenEntity, PartnerEntity, WebhookSecretEntity } from './access/partners/partner.entity.ts';
import { guardedSessionFields, OperatorSessionEntity } from './access/sessions/session.entity.ts';
import { evidenceLinkTable } from './desk/review/evidence-link-table.ts';
import { claimLinkTable, renewalLinkTable } from './requests/claim/link-mac.ts';
import { registeredTable } from './requests/request/registered/registered-data.ts';
import { webhookEventTable } from './requests/request/stored-event.ts';
import { timelineTable } from './requests/request/timeline-mac.ts';
import { livenessSessionTable } from './requests/signature/liveness-session.entity.ts';

/** Rows that give rights, and the fields that do. A field that is added to such an entity belongs here, unless it gives none. */
export const guardedTables = [
  guardedTable(OperatorEntity, ['email', 'passwordHash', 'role', 'enabled', 'gen', 'madeBy']),
  guardedTable(OperatorSessionEntity, guardedSessionFields),
  guardedTable(OperatorFactorEntity, guardedFactorFields),
  guardedTable(FactorMarkEntity, ['factorIds']),
  guardedTable(OperatorRecoveryCodeEntity, ['operatorId', 'codeSha256', 'usedAt']),
  guardedTable(CodeTallyEntity, guardedTallyFields),
  guardedTable(OperatorIdentityEntity, ['operatorId', 'issuer', 'subject']),
  guardedTable(InvitationEntity, guardedInvitationFields),
  guardedTable(LetterEntity, guardedLetterFields),
  guardedTable(PartnerEntity, [
    'clientId',
    'clientSecretSha256',
    'clientSecretEnabled',
    'passwordConfiguration',
    'reviewPolicy',
    'legacyPkcs12',
    'keyType',
    'scopes',
    'enabled',
    'gen',
  ]),
  guardedTable(PartnerKeyEntity, ['partnerId', 'algorithm', 'jwk', 'thumbprint', 'removedAt']),
  guardedTable(ApiTokenEntity, ['partnerId', 'tokenSha256', 'scopes', 'expiresAt', 'revokedAt']),
  guardedTable(WebhookSecretEntity, ['partnerId', 'sealed', 'publicKey', 'expiresAt']),
  approvalTable,
  aloneChangeTable,
  // What a reviewer wrote beside it is erased with the applicant's data, and counts for nothing.
  guardedSqlTable('review_approval', ['requestId', 'attempt', 'operatorId', 'at']),
  registeredTable,
  livenessSessionTable,
  evidenceLinkTable,
  webhookEventTable,
  timelineTable,
  claimLinkTable,
  renewalLinkTable,
];

/**
 * Rows of minutes. They are looked at when they are used, and not from time to time: what has ended has lost its digest, and no
 * former key outlives them.
 */
const shortLivedTables = [
  guardedSqlTable('claim_code', [
    'requestId',
    'purpose',
    'way',
    'browserSha256',
    'recipientSha256',
    'expiresAt',
    'digest',
    'sealedKey',
  ]),
  guardedSqlTable('operator_challenge', ['challenge', 'operatorId', 'expiresAt']),
  guardedSqlTable('claim_right', ['secretSha256', 'requestId', 'tokenSha256', 'purpose', 'expiresAt']),
];

/** The guard of those rows; a row that fails stands in the operators' overview too. */
export function createIntakeRowGuard(
  keyring: Pick<Keyring, 'mac' | 'isMac' | 'isPresentMac'>,
  alarm: Pick<ServiceParts, 'logger' | 'metrics'>,
): RowGuard {
  return openRowGuard({ keyring, tables: [...guardedTables, ...shortLivedTables] }, alarm);
}
