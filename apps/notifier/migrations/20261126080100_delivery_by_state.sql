-- without transaction
-- `delivery_of_state` finds the same.
drop index concurrently if exists delivery_by_state;
