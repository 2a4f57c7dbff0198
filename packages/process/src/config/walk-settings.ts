import { z } from 'zod';
import { type SettingFacts, settingFacts } from './setting.ts';

export type SettingLeaf = { path: readonly string[]; schema: z.ZodType; facts: SettingFacts };

/** Lists all settings of a schema, in the order of their definition, with their paths in the nested result. */
export function listSettings(schema: z.ZodObject, path: readonly string[] = []): SettingLeaf[] {
  return Object.entries(schema.shape).flatMap(([key, child]) => {
    const here = [...path, key];
    const facts = settingFacts(child);
    if (facts) return [{ path: here, schema: child as z.ZodType, facts }];
    if (child instanceof z.ZodObject) return listSettings(child, here);
    throw new Error(`${here.join('.')} names no environment variable: wrap it in setting()`);
  });
}
