-- without transaction
-- What arrived, nearly all, stands last, where new entries fill pages; in the middle each page is split in halves that stay so.
create index concurrently if not exists delivery_of_state on delivery (state desc, id);
