-- What generation last said of the certificate, for as long as it does not answer.
alter table request
  add column certificate_status text check (certificate_status in ('VALID', 'REVOKED', 'EXPIRED')),
  add column certificate_version integer not null default 0;

-- A partner names a certificate by its serial number.
create index request_serial_number on request (serial_number) where serial_number is not null;
