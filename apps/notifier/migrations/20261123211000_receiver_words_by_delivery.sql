-- An erasure takes away what receivers said; few attempts have any of it.
create index delivery_attempt_answer on delivery_attempt (delivery_id) where answer is not null;
