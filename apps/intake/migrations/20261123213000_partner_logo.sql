-- What applicants see beside a partner's name. Apart from the partner, which is read often.
create table partner_logo (
  partner_id uuid primary key references partner (id),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  sha256 text not null,
  base64 text not null check (length(base64) <= 65536)
);
