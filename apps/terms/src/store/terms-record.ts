import type { TermsRecord } from '@rubrica/contracts/shared/terms';
import type { TermsVersion } from './terms-version.entity.ts';

/** Converts the entity to the record of the contract; entities never leave this service. */
export function toTermsRecord(version: TermsVersion): TermsRecord {
  return {
    id: version.id,
    version: version.version,
    content: version.content,
    type: version.type,
    active: version.active,
    createdDate: version.createdAt.toISOString(),
  };
}
