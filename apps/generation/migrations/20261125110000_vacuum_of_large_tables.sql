-- As of intake's requests: what is read by an index alone is vacuumed long before a fifth of it is new. Each serial number is
-- written three times, and most of what it took in between is free when its certificate stands.
alter table certificate_word set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01);
alter table certificate set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01);
alter table serial_number set (autovacuum_vacuum_scale_factor = 0.02);
