-- MAC over event, request, partner, destination, headers and body of a delivery, by a key that the database never sees. Null in
-- rows of the release before: what they hold is not sent, and their body is asked of intake once more.
alter table delivery add column mac text;
