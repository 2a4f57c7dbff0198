alter table request
  -- Until when the partner may fetch the file itself; null where the family has no retrieval.
  add column retrieval_until timestamptz,
  -- When it did so for the first time.
  add column retrieved_at timestamptz,
  -- Which check the error is of, where its code alone does not say it.
  add column failed_check text;
