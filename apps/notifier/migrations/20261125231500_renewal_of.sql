-- Reference of the request that the delivery's request renews, which a header of the call says.
alter table delivery add column renewal_of text;
