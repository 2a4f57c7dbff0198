-- Whose a request is never changes: a row that its partner does not find would be verified by nobody, and its certificate not
-- be revoked.
create or replace function keep_request_reference() returns trigger language plpgsql as $$
begin
  if (new.reference_transaction <> old.reference_transaction or new.partner_id <> old.partner_id)
    and not (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid)
  then
    raise exception 'the reference and the partner of a % never change', tg_table_name;
  end if;
  return new;
end $$;
drop trigger request_keeps_reference on request;
create trigger request_keeps_reference before update of reference_transaction, partner_id on request
  for each row execute function keep_request_reference();
