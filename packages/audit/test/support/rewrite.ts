/** What an owner does who knows how the chain is made: every row from `first` on fits the one before again. */
export const rechain = (first: number) => `
  do $$ declare r record; h bytea; begin
    select hash into h from audit where chain_sequence = ${first - 1};
    for r in select id from audit where chain_sequence >= ${first} order by chain_sequence loop
      update audit set previous_hash = h, hash = sha256(h || canonical(audit)) where id = r.id returning hash into h;
    end loop;
  end $$`;
const u32 = (length: string) => `decode(lpad(to_hex(${length}), 8, '0'), 'hex')`;
const field = (value: string) =>
  `${u32(`octet_length(convert_to(${value}, 'UTF8'))`)} || convert_to(${value}, 'UTF8')`;
/** `canonical(row)`, the bytes of a row as the README describes them. */
export const canonical = `create function canonical(r audit) returns bytea language sql as $$ select '\\x01'::bytea ||
  ${field(`'intake.audit'`)} || ${field('r.chain_sequence::text')} || ${u32('4')} ||
  ${field(`'id'`)} || ${field('r.id::text')} ||
  ${field(`'at'`)} || ${field('(extract(epoch from r.at) * 1000000)::bigint::text')} ||
  ${field(`'actor'`)} || ${field('r.actor')} ||
  ${field(`'details'`)} || ${field(`replace(r.details::text, ' ', '')`)} $$;`;
