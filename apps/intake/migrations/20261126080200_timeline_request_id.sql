-- without transaction
-- `timeline_of_request` finds the same; a request has few steps to sort.
drop index concurrently if exists timeline_request_id;
