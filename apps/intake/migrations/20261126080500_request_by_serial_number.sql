-- without transaction
-- Numbers are asked for one by one, and generation says that each is there once: their hashes are less than half of them.
create index concurrently if not exists request_by_serial_number on request using hash (serial_number)
  where serial_number is not null;
