-- What a request is found by: the words of the applicant's name and, with an @ before it, the e-mail address. The order of
-- code points is that in which words with the same beginning stand together. Names are kept beside, so that a search for
-- several words reads nothing but the index. No foreign key: it would look for the request once for each word, while it
-- is registered.
create table request_word (
  word text collate "C" not null,
  created_at timestamptz not null,
  request_id uuid not null,
  name text not null
);
create index request_word_newest on request_word (word, created_at desc, request_id desc) include (name);
create index request_word_request_id on request_word (request_id);

with named as (
  select id, created_at, lower(details ->> 'email') as email, trim(regexp_replace(translate(
    lower(concat_ws(' ', details ->> 'applicantName', details ->> 'applicantLastName', details ->> 'applicantSecondLastName')),
    'áàäâãéèëêíìïîóòöôõúùüûñç', 'aaaaaeeeeiiiiooooouuuunc'), '[^[:alnum:]]+', ' ', 'g')) as name
  from request where erased_at is null
), termed as (
  select distinct id, created_at, name, word
  from named cross join lateral unnest(string_to_array(name, ' ') || ('@' || email)) as word
)
insert into request_word (word, created_at, request_id, name)
select word, created_at, id, ' ' || name from termed where word <> '';
