-- When the certificate was revoked and why, as generation told; of one on hold the reason alone.
alter table request add column revoked_at timestamptz;
alter table request add column revocation_reason text;
