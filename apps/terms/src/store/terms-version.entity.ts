import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { termsTypeSchema } from '@rubrica/contracts/shared/terms';

/** Published text. Its content never changes, because it is the proof of what applicants accepted. */
export const TermsVersion = defineEntity({
  name: 'TermsVersion',
  tableName: 'terms_version',
  properties: {
    id: p.uuid().primary(),
    type: p.enum(() => termsTypeSchema.enum),
    /** Label for display, unique within the type. */
    version: p.text(),
    content: p.text(),
    active: p.boolean(),
    createdAt: p.datetime(3),
    activatedAt: p.datetime(3).nullable(),
    /** Increases with each change of the row, for its MAC; `version` is the label. */
    rowVersion: p.integer().default(0),
    mac: p.text().default('').hidden(),
  },
});
export type TermsVersion = InferEntity<typeof TermsVersion>;
