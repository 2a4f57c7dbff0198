-- To whom a letter goes, and in whose name.
alter table operator_letter add column version integer not null default 1, add column mac text not null default '';
