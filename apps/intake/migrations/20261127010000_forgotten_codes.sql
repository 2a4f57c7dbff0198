-- without transaction
-- For the sweeper: codes of the last days are looked at, older ones go.
create index concurrently if not exists claim_code_sent_at on claim_code (sent_at);
