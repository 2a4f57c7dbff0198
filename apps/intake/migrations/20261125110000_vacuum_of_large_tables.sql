-- Searches and the overview read newest rows by an index alone, which PostgreSQL can where vacuum has seen their pages. By
-- default it comes after a fifth of a table is new: of two million requests those of seven months.
alter table request set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01);
alter table request_word set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01);
alter table timeline set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
