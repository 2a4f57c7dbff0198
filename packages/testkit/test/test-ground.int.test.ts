import {
  databaseSettings,
  keySettings,
  loadConfig,
  natsSettings,
  serviceSettings,
} from '@rubrica/process/config';
import { loadKeyring } from '@rubrica/process/keyring';
import { createCallTokenVerifier, signCallToken } from '@rubrica/process/tokens';
import type { PartnerCaller } from '@rubrica/process/trpc';
import { connect } from 'nats';
import { expect, test } from 'vitest';
import { startTestService, testGround } from '../src/index.ts';

const settings = serviceSettings.extend({
  nats: natsSettings,
  database: databaseSettings,
  keys: keySettings,
});

test('the ground gives a service settings that load, keys that its peers can seal to, and its rights on the bus', async () => {
  await using ground = await testGround('terms');
  const config = loadConfig(settings, ground.env);
  const own = await loadKeyring(config.keys, 'terms');
  const gateway = await ground.peer('gateway');
  const binding = { purpose: 'bundle', owner: 'anybody' } as const;
  expect(await own.openText(await gateway.keyring.sealTo('terms', 'for terms only', binding), binding)).toBe(
    'for terms only',
  );
  const partnerId = '01890a5d-ac96-774b-bcce-b302099a8057';
  const caller: PartnerCaller = { kind: 'partner', partnerId, clientId: 'c', scopes: [] };
  const nowMs = Date.now();
  const token = signCallToken(gateway.keys.intake, caller, { receiver: 'terms', givenTo: 'gateway', nowMs });
  const identify = createCallTokenVerifier({ keyring: own, self: 'terms', nowMs: () => nowMs });
  expect(await identify(token, 'gateway')).toMatchObject({ partnerId });

  const { url, user, password } = config.nats;
  const terms = await connect({ servers: url, user, pass: password, inboxPrefix: '_INBOX_terms' });
  let refused = false;
  terms.subscribe('rpc.v2.intake.>', {
    callback: (error) => {
      refused = error !== null;
    },
  });
  await terms.flush();
  await terms.close();
  expect(refused).toBe(true);
});

test('a service built in process is ready once it has started and stops in reverse order', async () => {
  const steps: string[] = [];
  const config = loadConfig(serviceSettings, { MANAGEMENT_PORT: '0', LOG_LEVEL: 'silent' });
  const service = await startTestService({
    name: 'terms',
    config,
    build: (_config, { runner }) => {
      runner.own('database', () => steps.push('database closed'));
      return {
        start: async () => steps.push(`started, ready: ${runner.isReady()}`),
        stop: async () => steps.push('service stopped'),
      };
    },
  });
  expect(service.parts.runner.isReady()).toBe(true);
  await service.stop();
  expect(steps).toEqual(['started, ready: false', 'service stopped', 'database closed']);
});

test('a service that fails to start leaves nothing open and says why', async () => {
  const closed: string[] = [];
  const config = loadConfig(serviceSettings, { MANAGEMENT_PORT: '0', LOG_LEVEL: 'silent' });
  const starting = startTestService({
    name: 'terms',
    config,
    build: (_config, { runner }) => {
      runner.own('database', () => closed.push('database'));
      throw new Error('no such schema');
    },
  });
  await expect(starting).rejects.toThrow('no such schema');
  expect(closed).toEqual(['database']);
});
