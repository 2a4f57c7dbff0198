-- The sandbox's clock of a request, in days ahead. Instants at which something falls due are kept by the real clock and
-- move when it is advanced; what partners and applicants are shown adds it again.
alter table request add column advanced_days integer not null default 0;
-- Of those, the days since the certificate was issued.
alter table request add column certificate_advanced_days integer not null default 0;
