-- A code to revoke with belongs to the browser that asked for it, and its limits to that browser, its address and the
-- telephone: who reads a serial number in a document uses up nobody's codes but their own. The release before writes none of these.
alter table claim_code
  -- `link`: by the link of the claim. `number`: by what stands in the certificate. Of revocations alone.
  add column way text check (way in ('link', 'number')),
  -- SHA-256 of the random value that the browser keeps, and of the network that it asked from.
  add column browser_sha256 text,
  add column address_sha256 text,
  -- SHA-256 of where the code went: one telephone may have several certificates.
  add column recipient_sha256 text;
