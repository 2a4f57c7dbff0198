/**
 * Which streams the outbox has published to, and since when something in them may not have been worked on. For a
 * migration of a service with an outbox. Never edit.
 */
export const streamSeenSql = `
create table stream_seen (
  stream text primary key,
  created timestamptz not null,
  settled_until timestamptz not null
);
`;
