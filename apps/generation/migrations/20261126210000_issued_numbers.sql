-- A number is its certificate's once that stands, in a unique column there; its own row says nothing more and goes. Rows of
-- copies of the release before, and those kept until now, go with the sweeper: it walks twice again.
alter table certificate drop constraint certificate_serial_fkey;
insert into spent_intents select where not exists (select from spent_intents);
update spent_intents set walks_left = 2, through = '', due_at = now();
