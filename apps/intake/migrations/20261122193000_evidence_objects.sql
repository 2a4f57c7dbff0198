-- What an object of the bucket consists of, kept here and nowhere else. The column before named objects of a bucket whose
-- entries could be replaced; that bucket is no longer read, so no copy of the code before can work on beside this one.
alter table evidence add column object jsonb;
alter table evidence drop column object_name;
-- The sweep's question: which of these objects does a row name?
create index evidence_object_id on evidence ((object ->> 'id')) where object is not null;
