-- An e-mail about an operator's account belongs to no request.
alter table message alter column request_id drop not null;
