import { leasesOn } from '@rubrica/database';

/** The lease of a worker, or of a call, on one request. */
export const requestLeases = leasesOn({ table: 'request', key: ['id'] });

/** Longer than all that is asked outside takes together; a worker that died gives way after it. */
export const requestLeaseSeconds = 30;
