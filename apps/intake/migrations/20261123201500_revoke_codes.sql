-- Codes with which subscribers revoke their certificates by themselves.

alter table claim_code drop constraint claim_code_purpose_check;
alter table claim_code add constraint claim_code_purpose_check check (purpose in ('claim', 'download', 'revoke'));
