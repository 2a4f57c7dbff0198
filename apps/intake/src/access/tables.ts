import { guardedSqlTable, guardedTable } from '@rubrica/database/guarded';
import { CodeTallyEntity, guardedTallyFields } from './factors/code-tries/code-tally.entity.ts';
import {
  guardedFactorFields,
  OperatorFactorEntity,
  OperatorRecoveryCodeEntity,
} from './factors/factor.entity.ts';
import { FactorMarkEntity } from './factors/factor-mark.entity.ts';
import { guardedInvitationFields, InvitationEntity } from './invitations/invitation.entity.ts';
import { guardedLetterFields, LetterEntity } from './letters/letter.entity.ts';
import { OperatorEntity } from './operators/operator.entity.ts';
import { OperatorIdentityEntity } from './operators/operator-identity.entity.ts';
import { PartnerKeyEntity } from './partners/keys/partner-key.entity.ts';
import { ApiTokenEntity, PartnerEntity, WebhookSecretEntity } from './partners/partner.entity.ts';
import { guardedSessionFields, OperatorSessionEntity } from './sessions/session.entity.ts';

export const accessEntities = [
  PartnerEntity,
  ApiTokenEntity,
  PartnerKeyEntity,
  WebhookSecretEntity,
  OperatorEntity,
  OperatorSessionEntity,
  OperatorFactorEntity,
  FactorMarkEntity,
  OperatorRecoveryCodeEntity,
  CodeTallyEntity,
  OperatorIdentityEntity,
  InvitationEntity,
  LetterEntity,
];

/**
 * Tables whose rows give permissions, each with the fields that do. Every new field of such a table belongs
 * here, unless it gives no permission.
 */
export const accessGuardedTables = [
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
];

/** Tables whose rows live for minutes, verified on use. */
export const accessShortLivedTables = [
  guardedSqlTable('operator_challenge', ['challenge', 'operatorId', 'expiresAt']),
];
