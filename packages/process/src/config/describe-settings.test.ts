import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeSettings } from './describe-settings.ts';
import { commaList, flag, integer, setting } from './setting.ts';

describe('describeSettings', () => {
  it('tells name, need, default, secrecy and meaning of each setting', () => {
    const schema = z.object({
      inner: z.object({
        port: setting(integer({ min: 1, max: 9 }).default(7), { env: 'PORT', about: 'a port' }),
      }),
      on: setting(flag().default(false), { env: 'ON', about: 'a switch' }),
      password: setting(z.string(), { env: 'PASSWORD', about: 'a secret', secret: true }),
      file: setting(z.string().optional(), { env: 'FILE', about: 'a file' }),
    });
    expect(describeSettings(schema)).toEqual([
      { env: 'PORT', required: false, default: '7', secret: false, about: 'a port' },
      { env: 'ON', required: false, default: 'false', secret: false, about: 'a switch' },
      { env: 'PASSWORD', required: true, default: undefined, secret: true, about: 'a secret' },
      { env: 'FILE', required: false, default: undefined, secret: false, about: 'a file' },
    ]);
  });

  it('writes a list as one would write it, and an empty default as none', () => {
    const schema = z.object({
      list: setting(commaList().default(['a', 'b']), { env: 'LIST', about: 'a list' }),
      none: setting(commaList().default([]), { env: 'NONE', about: 'an empty list' }),
      limits: setting(
        z
          .string()
          .transform((text) => ({ text }))
          .or(z.object({}))
          .default({}),
        { env: 'LIMITS', about: 'limits by name' },
      ),
    });
    expect(describeSettings(schema).map((row) => row.default)).toEqual(['a,b', undefined, undefined]);
  });

  it.each([
    ['an object', z.string().transform((text) => ({ text })), { text: 'x' }],
    ['a text that is read as something else', z.string().transform((text) => text.trim()), ' x'],
    ['a number that the setting would refuse', integer({ min: 1, max: 9 }), 10],
  ])('refuses %s as a default: nobody could write it', (_, schema, fallback) => {
    const settings = z.object({
      odd: setting((schema as z.ZodType<unknown>).default(fallback), { env: 'ODD', about: 'odd' }),
    });
    expect(() => describeSettings(settings)).toThrow('ODD');
  });
});
