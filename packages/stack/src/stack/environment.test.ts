import { expect, test } from 'vitest';
import { homeAt } from '../setup/home.ts';
import type { StackSettings } from '../setup/settings.ts';
import { serviceEnvironment } from './environment.ts';

const nats = { gateway: 'x', intake: 'x', generation: 'x', terms: 'x', notifier: 'x' };

function gatewayEnvironment(limits: boolean) {
  return serviceEnvironment('gateway', {
    home: homeAt('/nowhere'),
    // Of all settings the gateway's environment holds only its own password on the bus.
    settings: { nats } as unknown as StackSettings,
    addresses: {
      gatewayPort: 3000,
      consolePort: 3010,
      mailHttpPort: 3025,
      mailSmtpPort: 3026,
      natsUrl: 'nats://127.0.0.1:3042',
      databaseUrl: () => '',
    },
    crashpoints: false,
    limits,
    overrides: {},
    externalNats: false,
  });
}

const limitNames = [
  'RATE_LIMIT_PARTNER',
  'RATE_LIMIT_ADDRESS',
  'RATE_LIMIT_TOKEN',
  'CONNECTIONS_PER_ADDRESS',
  'CALLS_PER_ADDRESS',
];

test('the embedded stack limits nobody', () => {
  expect(gatewayEnvironment(false)).toMatchObject(Object.fromEntries(limitNames.map((name) => [name, '0'])));
});

test("with --limits the gateway's own defaults hold, which are production's", () => {
  const given = Object.keys(gatewayEnvironment(true));
  expect(given).toContain('PEERS_FILE');
  expect(given.filter((name) => limitNames.includes(name))).toEqual([]);
});
