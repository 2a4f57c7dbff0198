import { describe, expect, it, test } from 'vitest';
import { unknownSettings } from './unknown-settings.ts';

const known = ['DATABASE_URL', 'LOG_LEVEL', 'SHUTDOWN_TIMEOUT_SECONDS', 'SMTP_URL', 'KEYS_FILE'];

describe('a name that differs from a setting by a slip', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['log_level', 'LOG_LEVEL'],
    ['SHUTDOWN_TIMEOUT_SECOND', 'SHUTDOWN_TIMEOUT_SECONDS'],
    ['SHUTDOWN_TIMEOUTS_SECOND', 'SHUTDOWN_TIMEOUT_SECONDS'],
  ])('%s was meant as %s', (name, meant) => {
    expect(unknownSettings(known, ['LOG_LEVEL', name])).toEqual([{ name, meant }]);
  });
});

test('what has our prefix is told though nothing is like it', () => {
  expect(unknownSettings(known, ['RUBRICA_DATABASE'])).toEqual([
    { name: 'RUBRICA_DATABASE', meant: undefined },
  ]);
});

test('what belongs to others is left alone', () => {
  const others = ['PATH', 'HOME', 'LANG', 'NODE_OPTIONS', 'RUBRICA_HOME', 'NATS_PORT', 'NATS_SERVICE_HOST'];
  expect(unknownSettings(known, [...others, 'DATABASE_OWNER_URL', 'SMS_URI', 'LOGNAME', ...known])).toEqual(
    [],
  );
});
