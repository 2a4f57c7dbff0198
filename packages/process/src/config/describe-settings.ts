import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { listSettings } from './walk-settings.ts';

export type SettingRow = {
  env: string;
  required: boolean;
  /** Default as written in the environment; undefined if there is none. */
  default: string | undefined;
  secret: boolean;
  about: string;
};

/** Describes each setting: the source of `deploy/.env.example`. */
export function describeSettings(schema: z.ZodObject): SettingRow[] {
  return listSettings(schema).map(({ schema: leaf, facts }) => {
    const absent = leaf.safeParse(undefined);
    const fallback = absent.success ? formatValue(absent.data) : undefined;
    if (fallback !== undefined)
      assertReadBack({ env: facts.env, schema: leaf, text: fallback, value: absent.data });
    return {
      env: facts.env,
      required: !absent.success,
      default: fallback,
      secret: facts.secret === true,
      about: facts.about,
    };
  });
}

/** Formats a value as in the environment; undefined if nothing is written. */
function formatValue(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return undefined;
  return String(value);
}

/**
 * Checks that the documented default, written in the environment, is read as the default: `[object Object]` would not
 * be.
 */
function assertReadBack({ env, schema, text, value }: WrittenDefault): void {
  const read = schema.safeParse(text);
  if (read.success && isDeepStrictEqual(read.data, value)) return;
  throw new Error(`${env}: its default cannot be written as text; "${text}" is read as something else`);
}

interface WrittenDefault {
  readonly env: string;
  readonly schema: z.ZodType;
  readonly text: string;
  readonly value: unknown;
}
