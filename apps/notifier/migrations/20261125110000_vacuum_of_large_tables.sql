-- A delivery is written twice or more, and its body, the largest part, goes after it has arrived: that room is for the next ones.
alter table delivery set (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);
