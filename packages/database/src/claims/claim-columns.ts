import { p } from '@mikro-orm/core';

/** Columns of a table whose rows are claimed, for `create table` in a migration. */
export const claimColumnsSql = `
  lease_until timestamptz,
  fence integer not null default 0,
  attempts integer not null default 0`;

/** The same columns as properties of an entity. */
export const claimProperties = () => ({
  leaseUntil: p.datetime().nullable(),
  fence: p.integer().default(0),
  attempts: p.integer().default(0),
});
