import type { AppendOnlyTable } from '@rubrica/database/migrate';

/** The timeline as the service's role may write it: `request-history.ts` counts its entries. */
export const timeline: AppendOnlyTable = {
  name: 'timeline',
  insertable: [
    'request_id',
    'at',
    'trigger',
    'status',
    'validation_status',
    'code',
    'actor',
    'reason',
    'registers',
    'mac',
  ],
  updatable: ['reason'],
};
