-- Who has invited or promoted an operator, or reset the factors, and when; no procedure does so yet.
alter table operator add column made_by jsonb not null default '[]';

-- A reviewer's approval counts for its MAC alone, which is over this id too.
alter table review_approval add column id uuid not null default gen_random_uuid() unique,
  add column version integer not null default 1, add column mac text not null default '';
