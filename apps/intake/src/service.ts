import { startAuditChain } from '@rubrica/audit/chain';
import { openEvidenceStores } from '@rubrica/evidence-store';
import { openKeyring } from '@rubrica/process/keyring';
import type { BuiltService, ServiceParts } from '@rubrica/process/runner';
import { type Clock, uuidv7 } from '@rubrica/process/time';
import { signCallToken } from '@rubrica/process/tokens';
import { createPeers, openBus, openStreams, type Prove, serveRouters } from '@rubrica/wiring';
import { assertSandbox, openDatabase, startOutbox, startRowCheck } from '@rubrica/wiring/database';
import { connectAccess } from './access/connect-access.ts';
import { auditLog } from './base/audit-log.ts';
import type { BaseDeps } from './base/deps.ts';
import type { IntakeConfig } from './config.ts';
import type { DeskDeps } from './desk/deps.ts';
import { createIntakeRowGuard, entities, guardedTables, poolSize, schema } from './entities.ts';
import { connectOutside } from './outside/connect-outside.ts';
import { connectRequests } from './requests/connect-requests.ts';
import { startLocks } from './requests/evidence/lock/start-locks.ts';
import { startMove } from './requests/evidence/move/start-move.ts';
import { startScrub } from './requests/evidence/scrub/start-scrub.ts';
import { startEvidenceSweep } from './requests/evidence/sweep-evidence.ts';
import { startSuperseding } from './requests/issuance/supersede/start-superseding.ts';
import { startReminding } from './requests/renewal/reminders/remind-subscribers.ts';
import { startAdopting } from './requests/request/registered/adopt-requests.ts';
import { startRetention } from './requests/retention/start-retention.ts';
import { createRouters } from './router.ts';
import { startWorkers } from './start-workers.ts';
import { sweeperTasks } from './sweeper-tasks.ts';

/** Timeout of a call to another service. An applicant or a partner waits for it and can ask again. */
const peerTimeoutMs = 5_000;
/**
 * Minimum of background jobs at once, however many calls there are. A validation mostly waits for other
 * systems.
 */
const minWorkers = 6;
/**
 * Interval of the sweeper. Work that a copy held when it died waits for its lease to expire, then for this.
 */
const sweepIntervalMs = 15_000;

/**
 * Wires the service. Resources are stopped in reverse order of ownership: calls, workers, relay, bus,
 * database.
 */
export async function buildService(
  config: IntakeConfig,
  parts: ServiceParts,
  { clock = parts.clock.bestKnown }: { clock?: Clock } = {},
): Promise<BuiltService> {
  const keyring = await openKeyring(config.keys, 'intake', parts);
  const rows = createIntakeRowGuard(keyring, parts);
  const subscribers = [rows.subscriber];
  const audit = { table: auditLog.table, keys: keyring };
  const database = openDatabase(
    { ...config.database, schema, entities, subscribers, poolSize, audit },
    parts,
  );
  const bus = await openBus('intake', { ...config, keyring }, parts);
  const streams = await openStreams('intake', config.nats, parts);
  const stores = await openEvidenceStores(config.evidence, {
    streams,
    objectLock: config.lock.mode,
    ...parts,
  });
  const prove: Prove = (caller, receiver) =>
    signCallToken(keyring, caller, { receiver, givenTo: 'intake', nowMs: parts.clock.nowMs() });
  const peers = createPeers({ self: 'intake', bus, prove, timeoutMs: peerTimeoutMs });
  const base: BaseDeps = { database, keyring, rows, clock, newId: uuidv7 };
  const access = await connectAccess(config, { ...base, peers }, parts);
  const outside = await connectOutside(config, { ...parts, database, clock });
  let calls = () => 0;
  // Callers wait for an answer, background work can wait: under many calls fewer jobs run at once.
  const slots = () => Math.max(minWorkers, config.workers - 2 * calls());
  const { partners } = access;
  const shared = { ...base, ...outside, peers, partners };
  const requests = await connectRequests(config, { ...shared, streams, stores, slots }, parts);
  const desk: DeskDeps = { ...requests, rules: config.rules, stores };
  return {
    async start() {
      await parts.clock.measured();
      await assertSandbox({ database, sandbox: config.sandbox }, parts);
      // Asks once now, so that the first registration may find an answer.
      requests.issuerEnd();
      const tasks = sweeperTasks({ clock, retention: config.rules.retention, timeZone: config.timeZone });
      startOutbox({ service: 'intake', streams, database, tasks, sweepIntervalMs }, parts);
      startAuditChain({ database, table: auditLog.table, keyring, clock, rows }, parts);
      startRowCheck({ ...base, tables: guardedTables }, parts);
      warnWithoutDualControl(config, parts);
      const evidence = { ...requests, stores };
      const sweep = startEvidenceSweep({ stores: stores.all, sql: database }, parts.logger);
      parts.runner.own('evidence sweep', sweep.stop);
      parts.runner.own('evidence scrub', startScrub({ ...evidence, settings: config.scrub }, parts).stop);
      parts.runner.own('evidence move', startMove({ ...evidence, settings: config.move }, parts).stop);
      parts.runner.own('evidence locks', startLocks(evidence, parts).stop);
      parts.runner.own('retention', startRetention(requests).stop);
      parts.runner.own('certificate supersession', startSuperseding(requests).stop);
      parts.runner.own('reminders', startReminding(requests).stop);
      parts.runner.own('request adoption', (await startAdopting(requests)).stop);
      startWorkers({ deps: requests, streams, slots, seals: config.nats.seals }, parts);
      parts.runner.own('local validations', requests.validations.stop);
      const routers = createRouters({ access, requests, desk });
      const served = await serveRouters(
        { name: 'intake', bus, identify: access.callers.byRemembered, routers },
        parts,
      );
      calls = served.inFlight;
    },
  };
}

function warnWithoutDualControl({ rules }: IntakeConfig, { logger }: Pick<ServiceParts, 'logger'>): void {
  if (rules.dualControl === 'off') logger.warn({ reason: 'DUAL_CONTROL=off' }, 'dual control disabled');
}
