import { serveRouter } from '@rubrica/bus';
import { consumers } from '@rubrica/contracts';
import {
  type BuiltService,
  createCallContext,
  createCallMetrics,
  loadKeyring,
  type ServiceParts,
  systemClock,
  uuidv7,
} from '@rubrica/service';
import type { IntakeConfig } from './config.ts';
import { consumeMessages } from './consume-messages.ts';
import type { Dependencies } from './dependencies.ts';
import { createRecordFailed, createRecordIssued } from './issuance/record-outcome.ts';
import { openBus, openDatabase } from './open-connections.ts';
import { createPartnerDirectory } from './partner/partner-directory.ts';
import { createSandboxRegistries } from './registry/sandbox.ts';
import { startRelayAndSweeper } from './relay-outbox.ts';
import { createGenerationClient } from './request-status/generation-client.ts';
import { operatorRouter, serviceRouter } from './router.ts';
import { createValidateRequest } from './validate-request/validate-request.ts';

const partnerCacheMs = 5_000;

/** Wires the service. What is owned first is stopped last: calls, consumers, relay, bus, database. */
export async function buildService(config: IntakeConfig, parts: ServiceParts): Promise<BuiltService> {
  const { logger, metrics, runner } = parts;
  const keyring = await loadKeyring(config.keys, 'intake');
  const database = openDatabase(config, parts);
  const bus = await openBus(config, parts);
  const deps: Dependencies = {
    database,
    keyring,
    logger,
    clock: systemClock,
    newId: uuidv7,
    rules: config.rules,
    timeZone: config.timeZone,
    partners: createPartnerDirectory({
      database,
      clock: systemClock,
      ttlMs: partnerCacheMs,
      capacity: 10_000,
    }),
    generation: createGenerationClient(bus, keyring),
  };
  return {
    async start() {
      await startRelayAndSweeper(config.database.url, { bus, database }, parts);
      startWorkers(config, { deps, bus }, parts);
      const callContext = createCallContext(keyring, logger, createCallMetrics(metrics));
      const served = {
        queue: 'intake',
        createContext: async (call: Parameters<typeof callContext>[0]) => ({
          ...(await callContext(call)),
          ...deps,
        }),
      };
      const peers = await serveRouter(bus, {
        ...served,
        router: serviceRouter,
        subjectPrefix: 'rpc.v1.intake',
      });
      runner.own('service router', () => peers.stop());
      const people = await serveRouter(bus, {
        ...served,
        router: operatorRouter,
        subjectPrefix: 'ops.v1.intake',
      });
      runner.own('operator router', () => people.stop());
    },
  };
}

function startWorkers(
  config: IntakeConfig,
  { deps, bus }: { deps: Dependencies; bus: Awaited<ReturnType<typeof openBus>> },
  { logger, runner }: ServiceParts,
): void {
  const registries = registriesFor(config, deps);
  const validating = consumeMessages({
    bus,
    consumer: consumers.validationJobs,
    slots: config.workers,
    logger,
    handlers: { 'jobs.validation.requested': createValidateRequest({ ...deps, registries }) },
  });
  runner.own('validation workers', () => validating.stop());
  const recording = consumeMessages({
    bus,
    consumer: consumers.certificateEvents,
    slots: config.workers,
    logger,
    handlers: {
      'events.certificate.issued': createRecordIssued(deps),
      'events.certificate.failed': createRecordFailed(deps),
    },
  });
  runner.own('certificate events', () => recording.stop());
}

function registriesFor(config: IntakeConfig, deps: Dependencies) {
  if (config.sandbox)
    return createSandboxRegistries({ sql: deps.database, clock: deps.clock, timeZone: deps.timeZone });
  // Answering from nowhere would approve people nobody has checked.
  throw new Error('no registry adapter is configured: set SANDBOX=true, or connect the registries');
}
