import { z } from 'zod';
import { say } from '../error-texts/say.ts';

/** A month of a calendar, `yyyy-MM`. */
export const month = z
  .string()
  .regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, say('must be a month, such as 2026-11'));
