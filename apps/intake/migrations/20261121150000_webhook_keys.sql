-- Beside the shared secret a partner may have a key pair (Standard Webhooks, v1a): the private key is sealed to
-- notifier like a secret, the public key is shown to whoever asks.
alter table webhook_secret
  add column public_key text check (public_key ~ '^whpk_');
