import { integer, setting } from '@rubrica/process/config';
import { z } from 'zod';

export const scrubSettings = z.object({
  days: setting(integer({ min: 0, max: 3_650 }).default(30), {
    env: 'EVIDENCE_SCRUB_DAYS',
    about: 'days in which all evidence is read and compared once, a part of it each day; 0: never',
  }),
  megabytesPerSecond: setting(integer({ min: 1, max: 1_000 }).default(8), {
    env: 'EVIDENCE_SCRUB_MB_PER_SECOND',
    about: 'MB per second that this reading may come to, also where it has to catch up',
  }),
});
export type ScrubSettings = z.output<typeof scrubSettings>;
