import type { SweeperTask } from '@rubrica/database/sweeper';

const batchRows = 500;

/**
 * Deletes rows of serial numbers that earlier releases kept beside a certificate. A row with to-be-signed bytes is
 * deleted if its certificate contains them. Walks serial numbers in order, from the end of the previous batch, so that
 * none is read twice. Certificates are looked up one by one, because a join would read them all for each batch.
 */
export const clearSpentIntents: SweeperTask = {
  name: 'clear-spent-intents',
  batchRows,
  text: `
with walk as materialized (
  select walks_left from spent_intents where due_at <= now() limit 1
),
seen as materialized (
  select serial, state, tbs from serial_number where serial > (select through from spent_intents where due_at <= now())
  order by serial limit ${batchRows}
),
spent as materialized (
  select seen.serial
  from seen cross join lateral (select der from certificate where certificate.serial = seen.serial limit 1) as c
  where seen.state = 'ISSUED' and (seen.tbs is null or position(seen.tbs in c.der) > 0)
),
cleared as (
  delete from serial_number using spent where serial_number.serial = spent.serial
),
walked as (
  update spent_intents set through = last.serial from (select max(serial) as serial from seen) as last
  where last.serial is not null
),
again as (
  update spent_intents set through = '', walks_left = spent_intents.walks_left - 1, due_at = now() + interval '1 day'
  from walk where walk.walks_left > 1 and not exists (select from seen)
),
ended as (
  delete from spent_intents using walk where walk.walks_left = 1 and not exists (select from seen)
)
select 1 from seen`,
};
