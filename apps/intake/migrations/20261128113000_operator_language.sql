-- Language of e-mails to the operator: that of the last link by e-mail.
alter table operator add column if not exists language text not null default 'es';
