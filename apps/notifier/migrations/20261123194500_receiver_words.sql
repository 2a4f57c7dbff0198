-- How a receiver's answer to an attempt that it did not acknowledge begins, cleaned of what was sent to it.
alter table delivery_attempt add column answer text;
