-- without transaction
-- Of two renewals that were judged on the same ones before them, one is registered, whatever became of the rows meanwhile.
create unique index concurrently if not exists request_renewal_number on request (renewal_of, renewal_number)
  where renewal_of is not null;
