-- Secrets are given by intake for each attempt while the event is open, and kept nowhere here.
alter table delivery drop column secrets;
