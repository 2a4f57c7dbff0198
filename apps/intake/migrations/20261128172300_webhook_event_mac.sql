-- MAC over event, request, type and text, by a key that the database never sees. Null in rows of the release before.
alter table webhook_event add column mac text;
