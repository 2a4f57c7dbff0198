/**
 * Table of the streams to which the outbox has published, with the time since which their messages may be unprocessed.
 * For a migration of a service with an outbox. Never edit.
 */
export const streamSeenSql = `
create table stream_seen (
  stream text primary key,
  created timestamptz not null,
  settled_until timestamptz not null
);
`;
