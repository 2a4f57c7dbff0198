-- Who has a review open now, for colleagues to see. It binds nobody; a lease runs out unless the page renews it.
create table review_presence (
  request_id uuid not null references request (id),
  operator_id uuid not null references operator (id),
  since timestamptz not null,
  until timestamptz not null,
  primary key (request_id, operator_id)
);
create index review_presence_operator_id on review_presence (operator_id);
create index review_presence_until on review_presence (until);
