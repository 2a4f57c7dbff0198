-- Rows that end by another column than their id: within one version the MAC alone changes, when its key does. A row that is given
-- to another for a while and put back would be passed over by what ends rows in between.
create function keep_row_whole() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.version < old.version
    or new.version = old.version and to_jsonb(new) - 'mac' is distinct from to_jsonb(old) - 'mac'
  then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;

drop trigger operator_identity_moves_forward on operator_identity;
create trigger operator_identity_moves_forward before update or delete on operator_identity
  for each row execute function keep_row_whole();
drop trigger operator_recovery_code_moves_forward on operator_recovery_code;
create trigger operator_recovery_code_moves_forward before update on operator_recovery_code
  for each row execute function keep_row_whole();
drop trigger operator_invitation_moves_forward on operator_invitation;
create trigger operator_invitation_moves_forward before update on operator_invitation
  for each row execute function keep_row_whole();
