-- Of a request whose validation began as it was registered, the entry of that beginning stands for the registration too.
alter table timeline add column registers boolean;

-- The steps of a request as they are told, in the order of `place`.
create view step as
select 2 * id as place, request_id, at, trigger, status, validation_status, code, actor, reason from timeline
union all
select 2 * id - 1, request_id, at, 'register', 'REGISTERED', 'PENDING', null, 'partner', null from timeline where registers;
