-- Serial numbers have 15 octets now, which every program prints in decimal; those of 20 stay, and the release before
-- goes on writing them.
alter table serial_number
  drop constraint serial_number_serial_check,
  add constraint serial_number_serial_form check (serial ~ '^[4-7]([0-9A-F]{29}|[0-9A-F]{39})$') not valid;
