import { integer, setting } from '@rubrica/process/config';
import { z } from 'zod';

export const moveSettings = z.object({
  after: setting(z.enum(['never', 'end', 'validation']).default('never'), {
    env: 'EVIDENCE_MOVE_AFTER',
    about:
      'when small evidence is taken from PostgreSQL into the store, in S3 large one from `incoming/` to `kept/`: `end` of its request, `validation` (when that is over), or `never`',
  }),
  megabytesPerSecond: setting(integer({ min: 1, max: 1_000 }).default(4), {
    env: 'EVIDENCE_MOVE_MB_PER_SECOND',
    about: 'MB per second that this may come to',
  }),
});
export type MoveSettings = z.output<typeof moveSettings>;
