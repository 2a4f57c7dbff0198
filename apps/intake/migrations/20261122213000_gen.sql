-- How often a right of the partner or operator has ended. A token says the number that stood when it was made, and is
-- refused as soon as the row has another one.
alter table partner add column gen integer not null default 1 check (gen > 0);
alter table operator add column gen integer not null default 1 check (gen > 0);
