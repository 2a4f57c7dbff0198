-- The reference by which a partner finds its request never changes: exchanged, two of them would lead to each other's certificates.
create function keep_request_reference() returns trigger language plpgsql as $$
begin
  if new.reference_transaction <> old.reference_transaction
    and not (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid)
  then
    raise exception 'the reference of a % never changes', tg_table_name;
  end if;
  return new;
end $$;
create trigger request_keeps_reference before update of reference_transaction on request
  for each row execute function keep_request_reference();
