import { availableParallelism } from 'node:os';
import { expireChanges } from '@rubrica/approvals/expire-changes';
import { startAuditChain } from '@rubrica/audit/chain';
import type { Bus } from '@rubrica/bus';
import { consumers } from '@rubrica/contracts/messages/messages';
import { openKeyring } from '@rubrica/process/keyring';
import type { BuiltService, ServiceParts } from '@rubrica/process/runner';
import { uuidv7 } from '@rubrica/process/time';
import { createCallTokenVerifier } from '@rubrica/process/tokens';
import { consumeMessages, createPeers, openBus, openStreams, serveRouters } from '@rubrica/wiring';
import {
  assertSandbox,
  openDatabase,
  openRowGuard,
  startOutbox,
  startRowCheck,
} from '@rubrica/wiring/database';
import { readPendingRequests } from './ca/pending-request.ts';
import { auditLog } from './certificate/audit-log.ts';
import { startSealing } from './certificate/seal-certificates.ts';
import type { GenerationConfig } from './config.ts';
import type { GenerationDeps } from './context.ts';
import { exposeRevocationLists } from './crl/crl-metrics.ts';
import { clearSpentIntents } from './issuance/clear-spent-intents.ts';
import { createIssuanceLedger } from './issuance/issuance-ledger.ts';
import { createIssuanceMetrics } from './issuance/issuance-metrics.ts';
import { createThrowAwaySigners } from './issuance/rehearse.ts';
import { createRunIssuance } from './issuance/run-issuance.ts';
import { noFaults, sandboxFaults } from './issuance/sandbox-faults.ts';
import { auditAuthorities } from './issuers/authorities/audit-authorities.ts';
import { openIssuers } from './issuers/open-issuers.ts';
import { buildCrlUri, buildPublication } from './issuers/publication.ts';
import { createIssuersWatch } from './issuers/watch-issuers.ts';
import { createBackgroundMaker } from './key-pool/background-maker.ts';
import { createKeyPoolMetrics } from './key-pool/key-pool-metrics.ts';
import { createKeyPools, type KeyPools } from './key-pool/key-pools.ts';
import { makeSubscriberKey } from './key-pool/make-key.ts';
import { purgeAnswers } from './ocsp/purge-answers.ts';
import { purgeBundles } from './retention/purge-bundles.ts';
import { buildStatus } from './revocation/build-status.ts';
import { createRouters } from './router.ts';
import { checkedTables, entities, guardedTables, schema } from './store/schema.ts';

const peerTimeoutMs = 5_000;

/** Wires the service. Resources close in reverse order: calls, jobs, keys, relay, bus, database. */
export async function buildService(config: GenerationConfig, parts: ServiceParts): Promise<BuiltService> {
  const keyring = await openKeyring(config.keys, 'generation', parts);
  const audit = { table: auditLog.table, keys: keyring };
  const database = openDatabase({ ...config.database, schema, entities, audit }, parts);
  const clock = parts.clock.bestKnown;
  // This clock decides which authority is active.
  await parts.clock.measured();
  await assertSandbox({ database, sandbox: config.sandbox }, parts);
  const issuers = await openIssuers(config, keyring, clock);
  parts.runner.own('keys of authorities', issuers.close);
  const bus = await openBus('generation', { ...config, keyring }, parts);
  const streams = await openStreams('generation', config.nats, parts);
  const rows = openRowGuard({ keyring, tables: guardedTables }, parts);
  const status = buildStatus(config, { database, issuers, rows }, parts);
  const deps: GenerationDeps = {
    database,
    keyring,
    rows,
    peers: createPeers({ self: 'generation', bus, timeoutMs: peerTimeoutMs }),
    newId: uuidv7,
    issuers,
    clock,
    ...status,
    pendingAuthorities: async () =>
      (await readPendingRequests(config.authority.directory)).map(({ name }) => name),
    crlUriOf: (issuer, shard) => buildCrlUri(config, { issuer, shard }),
  };
  return {
    async start() {
      startOutbox(
        {
          service: 'generation',
          streams,
          database,
          signs: keyring,
          tasks: [
            purgeBundles,
            purgeAnswers,
            clearSpentIntents,
            ...expireChanges('generation', { form: 'certificates', now: deps.clock }),
          ],
          sweepIntervalMs: config.work.sweepSeconds * 1_000,
        },
        parts,
      );
      startRowCheck({ ...deps, tables: checkedTables }, parts);
      startSealing({ ...deps, rows }, parts);
      exposeRevocationLists(database, parts.metrics);
      await status.start();
      startAuditChain({ database, table: auditLog.table, keyring, clock, rows }, parts);
      const watch = createIssuersWatch({
        issuers,
        prepare: status.ensureCrls,
        audit: auditAuthorities(database, 'service:generation'),
        everyMs: config.authority.refreshSeconds * 1_000,
        logger: parts.logger,
      });
      parts.runner.own('authorities', watch.stop);
      watch.start();
      const keyPool = startKeyPool(config, parts);
      startJobs(config, { deps, streams, keyPool }, parts);
      const identify = createCallTokenVerifier({ keyring, self: 'generation', nowMs: parts.clock.nowMs });
      await serveRouters({ name: 'generation', bus, identify, routers: createRouters(deps) }, parts);
    },
  };
}

function startKeyPool(
  { subscriberKeys }: GenerationConfig,
  { logger, metrics, runner }: ServiceParts,
): KeyPools {
  const background = createBackgroundMaker();
  const keyPool = createKeyPools({
    size: subscriberKeys.poolSize,
    parallel: availableParallelism(),
    make: makeSubscriberKey,
    makeAhead: background.make,
    metrics: createKeyPoolMetrics(metrics),
    onFault: (err) => logger.error({ err }, 'key pool refill failed'),
  });
  runner.own('key pool', async () => {
    await Promise.all([keyPool.stop(), background.close()]);
  });
  keyPool.start();
  return keyPool;
}

function startJobs(
  config: GenerationConfig,
  { deps, streams, keyPool }: { deps: GenerationDeps; streams: Bus; keyPool: KeyPools },
  { logger, metrics, runner }: ServiceParts,
): void {
  const recordRun = createIssuanceMetrics(metrics);
  const throwAway = createThrowAwaySigners();
  const { profile, work } = config;
  const runIssuance = createRunIssuance({
    ...deps,
    logger,
    keyPool,
    intake: deps.peers.intake,
    ledger: createIssuanceLedger(deps.database, deps.rows),
    authoring: () => {
      const issuer = deps.issuers.active;
      return {
        issuer,
        publication: (crlShard) => buildPublication(config, issuer.name, crlShard),
        crlShards: config.status.crlShards,
        rucPrefix: profile.rucPrefix,
        throwAway: throwAway(issuer),
        warn: (reason) => logger.warn({ reason }, 'certificate lint warning'),
      };
    },
    faults: config.sandbox ? sandboxFaults : noFaults,
    rules: {
      ...work,
      timeZone: config.timeZone,
      subjectEmail: profile.subjectEmail,
      privateFields: profile.identityFields.named,
      iterations: config.iterations,
    },
  });
  if (work.orderStatements === 'accepted')
    logger.warn({ reason: 'ORDER_STATEMENTS=accepted' }, 'unsigned orders accepted');
  const consuming = consumeMessages({
    bus: streams,
    consumer: consumers.certificateJobs,
    slots: work.slots,
    logger,
    handlers: {
      'jobs.certificate.issue': async (job) => {
        const startedAt = performance.now();
        const outcome = await runIssuance(job);
        recordRun(outcome, (performance.now() - startedAt) / 1_000);
        return outcome.kind === 'done' ? undefined : { again: { delayMs: outcome.delayMs } };
      },
    },
  });
  runner.own('certificate jobs', consuming.stop);
}
