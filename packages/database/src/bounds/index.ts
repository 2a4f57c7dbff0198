export { boundRowsSql } from './bound-rows-sql.ts';
