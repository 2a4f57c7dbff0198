import { z } from 'zod';
import { termsTypeSchema } from '../../shared/terms.ts';

export const activeTermsInput = z.object({ type: termsTypeSchema });
