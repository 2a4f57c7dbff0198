export { FenceLost } from './fence-lost.ts';
export { dueRowLease, type LeaseSql, lease, leaseEnd, leaseWithAlias } from './lease-sql.ts';
export { createLeases, type Leased, type Leases } from './leases-on.ts';
