-- without transaction
drop index concurrently if exists request_generating;
