-- without transaction
-- The codes that anybody may have had sent to one telephone within a day.
create index concurrently if not exists claim_code_recipient on claim_code (recipient_sha256, sent_at)
  where way = 'number';
