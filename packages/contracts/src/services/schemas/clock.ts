import { z } from 'zod';

export const clockInput = z.object({});
/** Milliseconds since 1970, by the clock of intake's PostgreSQL. */
export const clockOutput = z.object({ nowMs: z.number() });
