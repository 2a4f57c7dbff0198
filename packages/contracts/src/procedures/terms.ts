import { z } from 'zod';
import { termsTypeSchema } from '../terms.ts';

export const activeTermsInput = z.object({ type: termsTypeSchema });
