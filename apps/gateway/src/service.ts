import type { AddressInfo } from 'node:net';
import { createReadHandedOut, openEvidenceStores } from '@rubrica/evidence-store';
import { releaseMemory } from '@rubrica/json-stream';
import { createPasswordScreen } from '@rubrica/password-screen/password-screen';
import { openKeyring } from '@rubrica/process/keyring';
import { metric } from '@rubrica/process/metrics';
import { release } from '@rubrica/process/release';
import type { ServiceParts } from '@rubrica/process/runner';
import { createCallMetrics } from '@rubrica/process/trpc';
import { openBus, openStreams } from '@rubrica/wiring';
import { createAccessTokens } from './auth/access-tokens.ts';
import { createPartnerAuthentication } from './auth/authenticate-partner.ts';
import { createExchangedTokens } from './auth/exchanged-tokens.ts';
import { serveJwks } from './auth/jwks.ts';
import { createSealedAccessTokens } from './auth/sealed-access-tokens.ts';
import { serveOpenIdConfiguration } from './auth/server-metadata.ts';
import { createBudgets } from './body/budgets.ts';
import { createFileKeeper, type OpenFileKeeper } from './body/files/keep-files.ts';
import { createStoredFiles } from './body/files/stored-files.ts';
import { createFormBodyReader } from './body/read-form-body.ts';
import { createJsonBodyReader } from './body/read-json-body.ts';
import { createWorkScheduler } from './body/work-scheduler.ts';
import { createClaimErrors } from './claim/claim-errors.ts';
import { serveRevoke } from './claim/revoke/serve-revoke.ts';
import { serveClaim } from './claim/serve-claim.ts';
import type { GatewayConfig } from './config.ts';
import { createDocsErrors } from './docs/docs-errors.ts';
import { openDocsSite } from './docs/docs-site.ts';
import { serveDocs } from './docs/serve-docs.ts';
import { requestOwner } from './fields/request-owner.ts';
import { allowOrigins } from './http/cors.ts';
import { closeServer, createServer } from './http/create-server.ts';
import { serveHealth } from './http/health.ts';
import { answerUnknownRoutes } from './http/not-found.ts';
import { observeCalls } from './http/observe.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { createErrorSender, createFaultAnswer } from './http/send-error.ts';
import { renderLivenessError } from './liveness/liveness-errors.ts';
import { serveLivenessPage } from './liveness/serve-liveness-page.ts';
import { createFetchObject } from './operators/evidence/fetch-object.ts';
import { serveEvidence } from './operators/evidence/serve-evidence.ts';
import { createIdentifyOperator } from './operators/identify-operator.ts';
import { createLiveFeed } from './operators/live/live-feed.ts';
import { serveLive } from './operators/live/serve-live.ts';
import { renderOpenIdError } from './operators/openid/openid-page.ts';
import { serveOpenId } from './operators/openid/serve-openid.ts';
import { serveOperators } from './operators/serve-operators.ts';
import { createCertificateSignals } from './peers/certificate-signals.ts';
import { createPeers } from './peers/peers.ts';
import { createProve } from './peers/prove.ts';
import { servePkiFiles } from './pki/pki-files.ts';
import { serveOcsp } from './pki/serve-ocsp.ts';
import { createFileBundler } from './rest/evidence/bundle-files.ts';
import { createHandlers } from './rest/handlers.ts';
import { createSandboxHandlers } from './rest/sandbox-handlers.ts';
import { serveOperations } from './rest/serve-operations.ts';

export interface Gateway {
  /** Starts listening. Resolves with the address. */
  start(): Promise<AddressInfo>;
}

/**
 * Wires the gateway; `parts.runner` owns the resources to close, in the order of closing. Longer than fifty lines on
 * purpose: one list of parts and their dependencies, without a decision.
 */
export async function buildService(config: GatewayConfig, parts: ServiceParts): Promise<Gateway> {
  const { logger, metrics, runner, health } = parts;
  const { timeZone, limits } = config;
  const clock = parts.clock.bestKnown;
  const keyring = await openKeyring(config.keys, 'gateway', parts);

  const bus = await openBus('gateway', { ...config, keyring }, parts);
  const streams = await openStreams('gateway', config.nats, parts);

  const timeoutMs = config.http.rpcTimeoutSeconds * 1000;
  const { intake } = createPeers({ bus, timeoutMs });
  const prove = createProve({ intake });
  const peers = createPeers({ bus, prove, timeoutMs });
  const readClock = async () => (await peers.intake['clock.read']({})).nowMs;
  runner.own('clock', parts.clock.follow({ name: 'intake', read: readClock }));
  health.addCheck('clock', parts.clock.check);
  const { baseUrl } = config.http;
  const doorTokens = createSealedAccessTokens(keyring);
  const tokens = createAccessTokens({ keyring, baseUrl, nowMs: parts.clock.nowMs, doorTokens });
  const budgets = createBudgets(limits);
  const pace = {
    bytesPerSecond: config.http.slowestBytesPerSecond,
    windowMs: config.http.paceSeconds * 1000,
  };
  const stores = await openEvidenceStores(config.evidence, { streams, ...parts });

  const passwords = createPasswordScreen();
  runner.own('password screening', passwords.close);
  const claimErrors = createClaimErrors({ timeZone });
  const docsSite = openDocsSite({ folder: config.docs.site, baseUrl, isSandbox: config.sandbox });
  const docsErrors = createDocsErrors(docsSite);
  const answerFault = createFaultAnswer({ logger, clock, timeZone, baseUrl });
  const sendError = createErrorSender({
    answerFault,
    pageOf: (fault, request) =>
      claimErrors(fault, request) ??
      renderLivenessError(fault, request) ??
      renderOpenIdError(fault, request) ??
      docsErrors(fault, request),
  });
  const app = createServer({
    trustProxy: config.http.trustProxy,
    requestTimeoutMs: config.http.requestTimeoutSeconds * 1000,
    perAddress: { connections: config.http.connectionsPerAddress, calls: config.http.callsPerAddress },
    pace,
    isHttps: config.http.baseUrl.startsWith('https:'),
    timeZone,
    baseUrl,
    sendError,
    logger,
    draining: runner.draining,
  });
  runner.own('http', (signal) => closeServer(app, signal));
  await allowOrigins(app, config.http.corsOrigins);
  const rateLimits = await createRateLimits(app, config.rateLimits);
  answerUnknownRoutes(app, rateLimits.address);
  observeCalls(app, { logger, metrics });

  const signals = createCertificateSignals({ bus: streams, logger });
  const workScheduler = createWorkScheduler();
  const storedFiles = createStoredFiles({ maxBytesPerCaller: limits.refusedFileBytes });
  const openFileKeeper: OpenFileKeeper = (stored) =>
    createFileKeeper(() => stores.current.upload({ spent: releaseMemory }), stored);
  const readJsonBody = createJsonBodyReader({
    budget: budgets.large,
    pace,
    workScheduler,
    openFileKeeper,
    storedFiles,
  });
  const authenticate = createPartnerAuthentication({
    tokens,
    exchanged: createExchangedTokens({ peers, keyring, tokens, baseUrl, nowMs: parts.clock.nowMs }),
    doorTokens,
    clock: parts.clock.now,
  });
  serveOperations(app, {
    sandboxHandlers: config.sandbox
      ? createSandboxHandlers({ peers, readJsonBody, limits, timeZone })
      : undefined,
    handlers: createHandlers({
      peers,
      keyring,
      limits,
      timeZone,
      clock,
      readJsonBody,
      readForm: createFormBodyReader({ budget: budgets.token, pace, takesJson: false }),
      issuer: config.http.baseUrl,
      bundleFiles: createFileBundler({ keyring }),
      sealPassword: (password, requestId) =>
        keyring.sealTo('generation', password, {
          purpose: 'certificate-password',
          owner: requestOwner(requestId),
        }),
      openSealed: keyring.openText,
      signals,
      authenticate,
      partnerWaitMs: rateLimits.partnerWaitMs,
      answerFault,
      budget: budgets.large,
      workScheduler,
      openFileKeeper,
      storedFiles,
      draining: runner.draining,
      batchLines: metrics.counter(metric('rubrica_batch_lines_total')),
    }),
    authenticate,
    storedFiles,
    limits: rateLimits,
    sendError,
  });
  const limit = rateLimits.address;
  const readForm = createFormBodyReader({ budget: budgets.claims, pace, takesJson: true });
  const pages = { peers, keyring, readForm, limit, baseUrl, timeZone };
  serveClaim(app, { ...pages, passwords, clock, signals, maxStreams: config.claimPage.maxStreams });
  serveRevoke(app, pages);
  serveLivenessPage(app, pages);
  servePkiFiles(app, { peers, limit });
  serveOcsp(app, { peers, limit, budget: budgets.ocsp, pace });
  serveEvidence(app, {
    peers,
    keyring,
    tokens,
    fetchObject: createFetchObject({ stores, readHandedOut: createReadHandedOut(config.evidence) }),
    budget: budgets.large,
    limit,
  });
  serveOperators(app, {
    bus,
    peers,
    prove,
    keyring,
    passwords,
    tokens,
    timeoutMs,
    budgets,
    pace,
    logger,
    limit,
    signInLimit: rateLimits.signIn,
    metrics: createCallMetrics(metrics),
  });
  serveOpenId(app, { peers, keyring, signInLimit: rateLimits.signIn });
  serveLive(app, {
    intake,
    feed: createLiveFeed({ bus: streams, logger }),
    identify: createIdentifyOperator({ tokens }),
    limit,
  });
  serveJwks(app, { keyring, limit });
  serveOpenIdConfiguration(app, { issuer: baseUrl, limit });
  const isReady = () =>
    runner.isReady() && bus.isConnected() && streams.isConnected() && parts.clock.isRight();
  serveHealth(app, { isReady, limit: rateLimits.health });
  serveDocs(app, {
    site: docsSite,
    baseUrl,
    version: release,
    isSandbox: config.sandbox,
    limit,
    sdkPackage: config.docs.sdkPackage,
  });

  return {
    async start() {
      await parts.clock.measured();
      await app.listen({ host: config.http.host, port: config.http.port });
      const address = app.server.address() as AddressInfo;
      logger.info({ host: config.http.host, port: address.port }, 'HTTP server started');
      return address;
    },
  };
}
