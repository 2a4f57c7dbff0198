import { createLeases } from '@rubrica/database/lease';

/** Lease of a worker, or of a call, on one request. */
export const requestLeases = createLeases({ table: 'request', key: ['id'] });

/**
 * Duration of the lease, longer than all calls to other systems together; after it another worker takes over
 * from one that died.
 */
export const requestLeaseSeconds = 30;
