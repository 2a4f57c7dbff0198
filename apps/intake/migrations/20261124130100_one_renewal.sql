-- without transaction
-- One renewal of a certificate that is open or issued: one that ended without a certificate, or whose certificate was
-- revoked, makes room for another.
create unique index concurrently if not exists request_renewal_of on request (renewal_of)
  where renewal_of is not null and status not in ('CANCELLED', 'REFUSED', 'EXPIRED')
    and certificate_status is distinct from 'REVOKED';
