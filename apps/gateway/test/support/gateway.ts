import { connectBus, ensureBucket } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { createHealth } from '@rubrica/process/management';
import { createMetrics } from '@rubrica/process/metrics';
import { createRunner } from '@rubrica/process/runner';
import { createMeasuredClock } from '@rubrica/process/time';
import { fakeSeals, scratchDirectory, testNats } from '@rubrica/testkit';
import { readConfig } from '../../src/config.ts';
import { buildService } from '../../src/service.ts';
import { serveFakes } from './fake-services.ts';
import { createFakeState, partner } from './fake-state.ts';
import { baseUrl } from './fake-tokens.ts';
import { writeKeyFiles } from './key-files.ts';

export type TestGateway = Awaited<ReturnType<typeof testGateway>>;

/** The real gateway on a free port, a real nats-server, and fakes of the services behind it on the real bus. */
export async function testGateway(
  env: Record<string, string> = {},
  /** How far intake's clock is ahead of the gateway's. */
  intakeAheadMs = 0,
) {
  const stack = new AsyncDisposableStack();
  const scratch = stack.use(await scratchDirectory('gateway'));
  const nats = stack.use(await testNats());
  const files = await writeKeyFiles(scratch.path);
  const keyring = (service: string) =>
    loadKeyring({ keysFile: files.keysFile(service), peersFile: files.peersFile }, service);
  const keyrings = {
    intake: await keyring('intake'),
    generation: await keyring('generation'),
    terms: await keyring('terms'),
    notifier: await keyring('notifier'),
  };
  const state = createFakeState();
  state.intakeAheadMs = intakeAheadMs;
  // The gateway goes by intake's clock, and so do the services whose clock is that of one PostgreSQL.
  const seals = fakeSeals(keyrings, { nowMs: () => Date.now() + state.intakeAheadMs });
  const bus = stack.use(await connectBus({ servers: nats.url, name: 'fakes', seals }));
  await ensureBucket(bus, { bucket: evidenceBucket, maxBytes: 1024 * 1024 * 1024 });
  const fakes = await serveFakes({ bus, state, keyrings });

  const lines: string[] = [];
  const logger = createLogger({
    service: 'gateway',
    level: 'debug',
    format: 'json',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const runner = createRunner({ logger, stopTimeoutMs: 10_000 });
  stack.defer(async () => void (await runner.stop('test ended')));
  const config = readConfig({
    NATS_URL: nats.url,
    NATS_USER: 'gateway',
    NATS_PASSWORD: 'x',
    NATS_API_PREFIX: '$JS.API',
    KEYS_FILE: files.keysFile('gateway'),
    PEERS_FILE: files.peersFile,
    MANAGEMENT_PORT: '0',
    PORT: '0',
    BASE_URL: baseUrl,
    RATE_LIMIT_PARTNER: '0',
    RATE_LIMIT_ADDRESS: '0',
    RATE_LIMIT_TOKEN: '0',
    RPC_TIMEOUT_SECONDS: '2',
    ...env,
  });
  const health = createHealth({ isReady: runner.isReady });
  const clock = createMeasuredClock({ logger });
  const gateway = await buildService(config, {
    logger,
    metrics: createMetrics({ service: 'gateway' }),
    health,
    runner,
    clock,
  });
  const { port } = await gateway.start();
  runner.markReady();
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    state,
    lines,
    bus,
    nats,
    keyrings,
    /** What whoever breaks into the gateway has. */
    ownKeyring: await keyring('gateway'),
    health,
    clock,
    stopIntake: fakes.stopIntake,
    stopTerms: fakes.stopTerms,
    stopNotifier: fakes.stopNotifier,
    stop: () => runner.stop('asked'),
    /** An access token for the sandbox partner, through the real token endpoint. */
    async token(scope?: string): Promise<string> {
      const { clientId: client_id, clientSecret: client_secret } = partner;
      const form = {
        grant_type: 'client_credentials',
        client_id,
        client_secret,
        ...(scope ? { scope } : {}),
      };
      const response = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
      if (!response.ok) throw new Error(`no token: ${response.status}`);
      return ((await response.json()) as { access_token: string }).access_token;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
