import { z } from 'zod';
import { month } from '../../shared/month.ts';
import { usageSchema } from '../../shared/usage.ts';

export const usageInput = z.object({ month: month.optional() });
export const usageOutput = usageSchema;
