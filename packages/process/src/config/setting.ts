import { z } from 'zod';

export type SettingFacts = {
  /** Name of the environment variable. */
  env: string;
  /** One line for the README and for the person whose setting is wrong. */
  about: string;
  /** True: the value is never quoted, not even in the message about its fault. */
  secret?: boolean;
};

/**
 * Ties a zod schema to an environment variable. It must be the outermost call: zod drops the metadata of a schema when
 * another one wraps it.
 */
export function setting<Schema extends z.ZodType>(schema: Schema, facts: SettingFacts): Schema {
  return schema.meta({ setting: facts }) as Schema;
}

export function settingFacts(schema: z.core.$ZodType): SettingFacts | undefined {
  return (schema as z.ZodType).meta?.()?.setting as SettingFacts | undefined;
}

/** Creates a schema for a whole number in decimal digits: `Number` alone would accept "", "0x10" and "1e3". */
export function integer({ min, max }: { min: number; max: number }) {
  const fault = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, fault)
    .transform(Number)
    .refine((value) => value >= min && value <= max, fault);
}

/** Creates a schema for a fraction from 0 to 1. */
export function share() {
  const fault = 'must be a number from 0 to 1, such as 0.1';
  return z
    .string()
    .regex(/^(0|1|0?\.\d{1,9}|1\.0{1,9})$/, fault)
    .transform(Number);
}

/** Creates a schema for `true` or `false` and nothing else: "0", "no" or "False" must not be accepted silently. */
export function flag() {
  return z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
}

/** Creates a schema for values separated by commas; blanks around them are dropped. */
export function commaList() {
  return z.string().transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
}

/** Creates a schema for a URL of one of the given protocols, e.g. `['postgres:', 'postgresql:']`. */
export function address(protocols: readonly string[]) {
  return z.string().refine(
    (text) => {
      const url = URL.parse(text);
      return url !== null && protocols.includes(url.protocol);
    },
    `must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );
}
