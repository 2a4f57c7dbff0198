-- Rows that give rights are not put back as they were. The service deletes none of these.
create trigger operator_moves_forward before update or delete on operator
  for each row execute function keep_row_forward();
create trigger operator_identity_moves_forward before update or delete on operator_identity
  for each row execute function keep_row_forward();
create trigger partner_moves_forward before update or delete on partner
  for each row execute function keep_row_forward();
create trigger partner_key_moves_forward before update or delete on partner_key
  for each row execute function keep_row_forward();
create trigger api_token_moves_forward before update or delete on api_token
  for each row execute function keep_row_forward();
create trigger webhook_secret_moves_forward before update or delete on webhook_secret
  for each row execute function keep_row_forward();

-- It deletes these when they are used, replaced or removed. The tables are small, and the triggers keep writers out meanwhile.
create trigger operator_factor_moves_forward before update on operator_factor
  for each row execute function keep_row_forward();
create trigger operator_factor_is_known after insert on operator_factor
  for each row execute function keep_row_known();
create trigger operator_recovery_code_moves_forward before update on operator_recovery_code
  for each row execute function keep_row_forward();
create trigger operator_recovery_code_is_known after insert on operator_recovery_code
  for each row execute function keep_row_known();
create trigger operator_invitation_moves_forward before update on operator_invitation
  for each row execute function keep_row_forward();
create trigger operator_invitation_is_known after insert on operator_invitation
  for each row execute function keep_row_known();
insert into known_row (table_name, row_id)
  select 'operator_factor', id from operator_factor
  union all select 'operator_recovery_code', id from operator_recovery_code
  union all select 'operator_invitation', id from operator_invitation;
