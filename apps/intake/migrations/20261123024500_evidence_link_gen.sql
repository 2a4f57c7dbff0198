-- A link ends with the rights of the operator that it was made for: `operator.gen` is raised by each loss of one.
delete from evidence_link;
alter table evidence_link add column gen integer not null;
