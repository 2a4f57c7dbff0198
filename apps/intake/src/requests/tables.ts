import { guardedSqlTable } from '@rubrica/database/guarded';
import { claimLinkTable, renewalLinkTable } from './claim/link-mac.ts';
import { MessageEntity } from './delivery/message.entity.ts';
import { registeredTable } from './request/registered/registered-data.ts';
import { EvidenceEntity, RequestEntity, StepEntity, TimelineEntity } from './request/request.entity.ts';
import { webhookEventTable } from './request/stored-event.ts';
import { timelineTable } from './request/timeline-mac.ts';
import { IdentityAttemptEntity } from './signature/identity-attempt.entity.ts';
import { LivenessSessionEntity, livenessSessionTable } from './signature/liveness-session.entity.ts';

export const requestsEntities = [
  RequestEntity,
  EvidenceEntity,
  StepEntity,
  TimelineEntity,
  MessageEntity,
  IdentityAttemptEntity,
  LivenessSessionEntity,
];

/**
 * Tables whose rows give permissions, each with the fields that do. Every new field of such a table belongs
 * here, unless it gives no permission.
 */
export const requestsGuardedTables = [
  registeredTable,
  livenessSessionTable,
  webhookEventTable,
  timelineTable,
  claimLinkTable,
  renewalLinkTable,
];

/** Tables whose rows live for minutes, verified on use. */
export const requestsShortLivedTables = [
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
  guardedSqlTable('claim_right', ['secretSha256', 'requestId', 'tokenSha256', 'purpose', 'expiresAt']),
];
