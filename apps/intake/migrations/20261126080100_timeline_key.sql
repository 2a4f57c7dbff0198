-- Nothing refers to a step, and identity numbers are given once: a key would only be one more entry for each.
alter table timeline drop constraint if exists timeline_pkey;
