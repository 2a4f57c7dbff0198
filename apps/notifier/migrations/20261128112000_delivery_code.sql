-- Code of the fault that an error or a refusal tells of, which a header of the call says. Without a value: of another event, or
-- stored by the release before.
alter table delivery add column code text;
