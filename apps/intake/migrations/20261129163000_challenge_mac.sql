-- A passkey signs each challenge once: a row that is put back, or made by hand, counts for nothing.
alter table operator_challenge add column mac text;
