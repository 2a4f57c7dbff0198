-- An attachment is named by the field that it came in; an evidence of a list has no name.
alter table evidence add column field text;

-- What the error concerns, where the code alone does not say it: it may be sent anew.
alter table request add column error_fields jsonb not null default '[]';
