-- What a certificate is found by: the words of its names and, with a # before it, the identification number. Names are kept
-- beside, so that a search for several words reads nothing but the index.
create table certificate_word (
  word text collate "C" not null,
  issued_at timestamptz(3) not null,
  certificate_id uuid not null references certificate,
  name text not null
);
create index certificate_word_newest on certificate_word (word, issued_at desc, certificate_id desc) include (name);
create index certificate_word_certificate_id on certificate_word (certificate_id);

with named as (
  select id, issued_at, substring(subject from 'serialNumber=IDC[A-Z]{2}-([^,]+)') as number, trim(regexp_replace(translate(
    lower(substring(subject from 'CN=([^,]+)')),
    'áàäâãéèëêíìïîóòöôõúùüûñç', 'aaaaaeeeeiiiiooooouuuunc'), '[^[:alnum:]]+', ' ', 'g')) as name
  from certificate
), termed as (
  select distinct id, issued_at, name, word
  from named cross join lateral unnest(string_to_array(name, ' ') || ('#' || number)) as word
)
insert into certificate_word (word, issued_at, certificate_id, name)
select word, issued_at, id, ' ' || name from termed where word <> '';

-- Lists are in the order of issuance. Of those that end after the same number of days, that is the order of their end too,
-- so that any stretch of ends is a stretch of each of these, and there are few lengths.
alter table certificate add column lifetime_days integer not null
  generated always as (floor(extract(epoch from not_after - issued_at) / 86400)::integer) stored;
create index certificate_by_lifetime on certificate (lifetime_days, issued_at desc, id desc);
create index certificate_revoked_by_lifetime on certificate (lifetime_days, issued_at desc, id desc)
  where revoked_at is not null or held_at is not null;
