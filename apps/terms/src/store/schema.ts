import { AuditEntry } from './audit-entry.entity.ts';
import { TermsVersion } from './terms-version.entity.ts';

/** The schema this service owns in the database, and what it keeps there. */
export const schema = 'terms';
export const entities = [TermsVersion, AuditEntry];
