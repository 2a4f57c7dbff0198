import type { AppendOnlyTable } from '@rubrica/database/migrate';

/** Rights of the service's role on the timeline, whose entries `request-history.ts` counts. */
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
  updatable: ['reason', 'mac'],
};
