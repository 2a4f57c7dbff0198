import { describe, expect, test } from 'vitest';
import { checkServerVersion } from './server-version.ts';

describe('a server away from loopback', () => {
  test.each(['2.9.10', '2.10.26', '2.11.0', '1.4.1', '2.1.27', 'unknown', ''])(
    'is refused as %j',
    (version) => {
      expect(checkServerVersion({ version, address: 'nats.example.org:4222' })?.message).toContain('too old');
    },
  );

  test.each(['2.10.27', '2.10.28', '2.11.1', '2.12.0', '3.0.0', '2.11.4-RC.1'])(
    'is taken as %s',
    (version) => {
      expect(checkServerVersion({ version, address: 'nats.example.org:4222' })).toBeUndefined();
    },
  );

  test.each([
    '10.0.0.1:4222',
    '127.example.org:4222',
    '127.0.0.1.example.org:4222',
    '[::2]:4222',
    '0.0.0.0:4222',
  ])('is one at %s', (address) =>
    expect(checkServerVersion({ version: '2.9.10', address })).toBeInstanceOf(Error),
  );

  test.each(['127.0.0.1:4222', '127.1.2.3:4222', 'localhost:4222', '[::1]:4222', '::1:4222'])(
    'is none at %s',
    (address) => expect(checkServerVersion({ version: '2.9.10', address })).toBeUndefined(),
  );
});
