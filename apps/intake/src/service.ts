import { openEvidenceStores } from '@rubrica/evidence-store';
import {
  type BuiltService,
  type Clock,
  openKeyring,
  type ServiceParts,
  signCallToken,
  uuidv7,
} from '@rubrica/process';
import { createPeers, openBus, openStreams, type Prove, serveRouters } from '@rubrica/wiring';
import {
  assertSandbox,
  openDatabase,
  startAuditChain,
  startOutbox,
  startRowCheck,
} from '@rubrica/wiring/database';
import { createIdentifyCaller } from './access/callers/identify-caller.ts';
import { connectOpenId } from './access/openid/openid-client.ts';
import { createOperatorDirectory } from './access/operators/operator-directory.ts';
import { createIssuerKeys } from './access/partners/issuers/issuer-keys.ts';
import { bindingsOf } from './access/partners/issuers/issuer-settings.ts';
import { createVerifyIssuerToken } from './access/partners/issuers/verify-issuer-token.ts';
import { createPartnerDirectory } from './access/partners/partner-directory.ts';
import { createApiTokenDirectory } from './access/partners/tokens/api-token-directory.ts';
import { relyingPartyOf } from './access/passkeys/passkey-settings.ts';
import { createPasswordHashes } from './access/passwords/password-hashes.ts';
import { createSessionDirectory } from './access/sessions/session-directory.ts';
import { auditLog } from './base/audit-log.ts';
import { mostHashesAtOnce } from './base/thread-pool.ts';
import type { IntakeConfig } from './config.ts';
import type { IntakeDeps } from './context.ts';
import { entities, poolSize, schema } from './entities.ts';
import { createIntakeRowGuard, guardedTables } from './guarded-rows.ts';
import { connectOutside } from './outside/connect-outside.ts';
import { startReminding } from './requests/claim/end-reminders/start-reminding.ts';
import { startLocks } from './requests/evidence/lock/start-locks.ts';
import { startMove } from './requests/evidence/move/start-move.ts';
import { startScrub } from './requests/evidence/scrub/start-scrub.ts';
import { startEvidenceSweep } from './requests/evidence/sweep-evidence.ts';
import { startSuperseding } from './requests/issuance/supersede/start-superseding.ts';
import { askIssuerEnd } from './requests/registration/ask-issuer-end.ts';
import { createIssuerEnd } from './requests/registration/issuer-end.ts';
import { startAdopting } from './requests/request/registered/adopt-requests.ts';
import { createReviewSignals } from './requests/request/review-signals.ts';
import { startRetention } from './requests/retention/retention-loop.ts';
import { connectFiles } from './requests/validation/connect-files.ts';
import { createValidateRegistered } from './requests/validation/validate-request.ts';
import { createValidationsInHand } from './requests/validation/validations-in-hand.ts';
import { createRouters } from './router.ts';
import { startWorkers } from './start-workers.ts';
import { sweeperTasks } from './sweeper-tasks.ts';

/** An applicant or a partner waits for it, and can ask again. */
const peerTimeoutMs = 5_000;
/** What ended is seen by every copy within this time; operators are promised 5 s. */
const rightsKeptMs = 3_000;
/** Background work goes on however many calls there are: most of a validation is waiting for others. */
const fewestWorkers = 6;
/** What a copy had in hand when it died waits for its lease and then for this. */
const sweepIntervalMs = 15_000;
/** About a second of hashes: beyond it, or on a slow machine after three, a sign-in is refused rather than answered late. */
const waitingForHashes = { waiting: 20, waitMs: 3_000 };

/** Wires the service. What is owned first is stopped last: calls, workers, relay, bus, database. */
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
  const prove: Prove = (who, receiver) =>
    signCallToken(keyring, who, { receiver, givenTo: 'intake', nowMs: parts.clock.nowMs() });
  const peers = createPeers({ self: 'intake', bus, prove, timeoutMs: peerTimeoutMs });
  const directories = {
    partners: createPartnerDirectory({ database, clock, ttlMs: rightsKeptMs, capacity: 10_000 }),
    operators: createOperatorDirectory({ database, clock, ttlMs: rightsKeptMs }),
    sessions: createSessionDirectory({ database, clock, ttlMs: rightsKeptMs }),
    apiTokens: createApiTokenDirectory({ database, clock, ttlMs: rightsKeptMs }),
  };
  const tokenClock = parts.clock.now;
  const { baseUrl } = config;
  const needs: Omit<IntakeDeps, 'validations'> = {
    database,
    keyring,
    rows,
    logger: parts.logger,
    clock,
    tokenClock,
    newId: uuidv7,
    rules: config.rules,
    timeZone: config.timeZone,
    baseUrl,
    consoleUrl: config.consoleUrl ?? baseUrl,
    sandbox: config.sandbox,
    tokens: config.tokens,
    operatorSessions: config.operatorSessions,
    passwordHashes: createPasswordHashes({
      atOnce: config.passwordHashes ?? mostHashesAtOnce,
      ...waitingForHashes,
    }),
    relyingParty: relyingPartyOf(config.operatorPasskeys, {
      consoleUrl: config.consoleUrl ?? baseUrl,
      name: config.operatorSessions.name,
    }),
    verifyIssuerToken: createVerifyIssuerToken({
      bindings: bindingsOf(config.issuers),
      keys: createIssuerKeys({ peers, clock, logger: parts.logger }),
      clock: parts.clock.now,
    }),
    ...directories,
    callers: createIdentifyCaller({ keyring, baseUrl, tokenClock, ...directories }),
    openId: await connectOpenId(config, { ...parts, clock }),
    peers,
    issuerEnd: createIssuerEnd({ ask: () => askIssuerEnd(peers), clock, logger: parts.logger }),
    reviewSignals: createReviewSignals({ streams, logger: parts.logger }),
    ...(await connectOutside(config, { ...parts, database, clock })),
    stores,
    ...(await connectFiles(config, { stores, keyring, ...parts })),
  };
  let calls = () => 0;
  // Callers wait for an answer and work waits: under many calls less of it is done at once.
  const slots = () => Math.max(fewestWorkers, config.workers - 2 * calls());
  const validations = createValidationsInHand({ slots, work: createValidateRegistered(needs) });
  const deps: IntakeDeps = { ...needs, validations };
  return {
    async start() {
      await parts.clock.measured();
      await assertSandbox({ database, sandbox: config.sandbox }, parts);
      // Asks once now, so that the first registration may find an answer.
      deps.issuerEnd();
      const tasks = sweeperTasks({ clock, retention: config.rules.retention, timeZone: config.timeZone });
      startOutbox({ service: 'intake', streams, database, tasks, sweepIntervalMs }, parts);
      startAuditChain({ database, table: auditLog.table, keyring, clock, rows }, parts);
      startRowCheck({ ...deps, tables: guardedTables }, parts);
      warnOfOneBeingEnough(config, parts);
      const evidence = startEvidenceSweep({ stores: stores.all, sql: database }, parts.logger);
      parts.runner.own('evidence sweep', evidence.stop);
      parts.runner.own('evidence scrub', startScrub({ ...deps, settings: config.scrub }, parts).stop);
      parts.runner.own('evidence move', startMove({ ...deps, settings: config.move }, parts).stop);
      parts.runner.own('evidence locks', startLocks(deps, parts).stop);
      parts.runner.own('retention', startRetention(deps).stop);
      parts.runner.own('superseding', startSuperseding(deps).stop);
      parts.runner.own('reminders', startReminding(deps).stop);
      parts.runner.own('taking over requests', (await startAdopting(deps)).stop);
      startWorkers({ deps, streams, slots, seals: config.nats.seals }, parts);
      parts.runner.own('validations in hand', validations.stop);
      const routers = createRouters(deps);
      const served = await serveRouters(
        { name: 'intake', bus, identify: deps.callers.byRemembered, routers },
        parts,
      );
      calls = served.inFlight;
    },
  };
}

function warnOfOneBeingEnough({ rules }: IntakeConfig, { logger }: Pick<ServiceParts, 'logger'>): void {
  if (rules.dualControl === 'off')
    logger.warn({ reason: 'DUAL_CONTROL=off' }, 'one administrator alone may do what takes two');
}
