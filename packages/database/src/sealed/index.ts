export { type Sealed, sealedSql } from './sealed.ts';
