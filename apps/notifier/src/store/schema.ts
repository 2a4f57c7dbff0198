import { auditMigrations } from '@rubrica/audit/migrations';
import { createKeyset } from '@rubrica/database/keyset';
import { ApplicantMessageEntity } from './applicant-message.entity.ts';
import { auditLog } from './audit-log.ts';
import { AttemptEntity, DeliveryEntity } from './delivery.entity.ts';
import { DestinationEntity } from './destination.entity.ts';

/** Database schema that this service owns. */
export const schema = 'notifier';
export const entities = [DeliveryEntity, AttemptEntity, ApplicantMessageEntity, DestinationEntity];

/** Sort order: newest first, because ids are UUID v7 and so ordered by time. */
export const findById = createKeyset();

/** Migrations of this release, and the tables on which the running service has fewer rights. */
export const releaseSchema = {
  schema,
  folder: new URL('../../migrations/', import.meta.url),
  base: auditMigrations(auditLog),
  audit: auditLog.table,
};
