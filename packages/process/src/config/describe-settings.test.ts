import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeSettings, settingsTable } from './describe-settings.ts';
import {
  databaseSettings,
  keySettings,
  natsSettings,
  provisionSettings,
  serviceSettings,
} from './fragments.ts';
import { flag, integer, setting } from './setting.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

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

  it.each([
    ['every service', serviceSettings],
    ['a service on the bus', z.object({ nats: natsSettings, keys: keySettings })],
    ['a service with a database', databaseSettings],
    ['provisioning', provisionSettings],
  ])('has the table for %s in the README', (_, schema) => {
    expect(readme).toContain(settingsTable(schema));
  });
});
