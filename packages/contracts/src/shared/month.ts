import { z } from 'zod';
import { checkMessage } from '../error-texts/check-message.ts';

/** Calendar month, `yyyy-MM`. */
export const month = z.string().regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, checkMessage('field.month'));
