-- without transaction
-- `request_by_serial_number` finds the same.
drop index concurrently if exists request_serial_number;
