import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  databaseSettings,
  keySettings,
  natsSettings,
  provisionSettings,
  serviceSettings,
} from './fragments.ts';
import { ConfigError, loadConfig } from './load-config.ts';
import { commaList, setting } from './setting.ts';

const schema = serviceSettings.extend({
  nats: natsSettings,
  keys: keySettings,
  database: databaseSettings,
  origins: setting(commaList().default([]), { env: 'CORS_ORIGINS', about: 'origins' }),
});

const complete = {
  MANAGEMENT_PORT: '9090',
  NATS_URL: 'nats://127.0.0.1:4222',
  NATS_USER: 'intake',
  NATS_PASSWORD: 'nats-secret',
  KEYS_FILE: '/keys.json',
  PEERS_FILE: '/peers.json',
  DATABASE_URL: 'postgres://user:secret@127.0.0.1/rubrica',
};

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('nests and types what it read, with defaults for what was not given', () => {
    expect(
      loadConfig(schema, { ...complete, SANDBOX: 'true', CORS_ORIGINS: 'https://a, https://b' }),
    ).toEqual({
      log: { level: 'info', format: 'json' },
      management: { host: '127.0.0.1', port: 9090 },
      tracing: { otlpEndpoint: undefined, sampler: 'parentbased_traceidratio', ratio: 0.05 },
      timeZone: 'America/Guayaquil',
      sandbox: true,
      shutdownTimeoutSeconds: 25,
      drainDelaySeconds: 0,
      revision: undefined,
      crashpointDirectory: undefined,
      nats: {
        url: 'nats://127.0.0.1:4222',
        user: 'intake',
        password: 'nats-secret',
        streamsUser: undefined,
        apiPrefix: '$JS.STREAMS.API',
        seals: 'required',
      },
      keys: { keysFile: '/keys.json', peersFile: '/peers.json' },
      database: { url: complete.DATABASE_URL },
      origins: ['https://a', 'https://b'],
    });
  });

  it('reports all faults at once, each by the name of its variable', () => {
    const { NATS_USER: _, ...rest } = complete;
    const faults = faultsOf({ ...rest, MANAGEMENT_PORT: '70000', SANDBOX: 'yes', LOG_LEVEL: 'loud' });
    expect(faults.map((fault) => fault.split(/[ :]/)[0])).toEqual([
      'LOG_LEVEL',
      'MANAGEMENT_PORT',
      'SANDBOX',
      'NATS_USER',
    ]);
    expect(faults[1]).toBe('MANAGEMENT_PORT: must be a whole number from 0 to 65535 (it is "70000")');
    expect(faults[3]).toBe("NATS_USER is required: this service's NATS user");
  });

  it('never quotes a secret, however wrong it is', () => {
    const faults = faultsOf({ ...complete, DATABASE_URL: 'mysql://user:hunter2@db' });
    expect(faults).toEqual([
      'DATABASE_URL: must be an address that starts with postgres:// or postgresql://',
    ]);
  });

  it.each(['', '0x10', '1e3', '10.5', ' 80', '-1', '９０９０'])('takes no port from %j', (port) => {
    expect(faultsOf({ ...complete, MANAGEMENT_PORT: port })).toHaveLength(1);
  });

  it.each(['0', 'no', 'False', 'TRUE'])('takes no boolean from %j', (value) => {
    expect(faultsOf({ ...complete, SANDBOX: value })).toEqual([
      `SANDBOX: must be true or false (it is "${value}")`,
    ]);
  });

  it('takes an empty variable as absent', () => {
    expect(loadConfig(schema, { ...complete, TIME_ZONE: '', LOG_LEVEL: '' }).timeZone).toBe(
      'America/Guayaquil',
    );
    expect(faultsOf({ ...complete, KEYS_FILE: '' })[0]).toMatch(/^KEYS_FILE is required/);
  });

  it('refuses a time zone that does not exist', () => {
    expect(faultsOf({ ...complete, TIME_ZONE: 'America/Quito2' })).toHaveLength(1);
  });

  it('gives no secret a default', () => {
    const secrets = { NATS_PASSWORD: '', DATABASE_URL: '' };
    expect(faultsOf({ ...complete, ...secrets })).toHaveLength(2);
    expect(() => loadConfig(provisionSettings, {})).toThrow(
      /DATABASE_OWNER_URL[\s\S]*NATS_PROVISION_PASSWORD/,
    );
  });

  it('refuses a schema with a setting that names no variable', () => {
    expect(() => loadConfig(z.object({ log: z.object({ level: z.string() }) }), {})).toThrow(/log\.level/);
  });
});
