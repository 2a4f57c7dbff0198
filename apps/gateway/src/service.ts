import type { AddressInfo } from 'node:net';
import { objectStore } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import { createCallMetrics, loadKeyring, type ServiceParts, systemClock } from '@rubrica/process';
import { openBus } from '@rubrica/wiring';
import packageFacts from '../package.json' with { type: 'json' };
import { createAccessTokens } from './auth/access-tokens.ts';
import { createApiTokens } from './auth/api-tokens.ts';
import { createPartnerAuthentication } from './auth/authenticate-partner.ts';
import { createExternalIssuer } from './auth/external-issuer.ts';
import { loadTokenKeys } from './auth/token-keys.ts';
import { createByteBudget } from './body/read-bytes.ts';
import { createFormBodyReader } from './body/read-form-body.ts';
import { createJsonBodyReader } from './body/read-json-body.ts';
import { createTurns } from './body/turns.ts';
import { createClaimErrors } from './claim-page/claim-errors.ts';
import { createLinkFlow } from './claim-page/link-flow.ts';
import { createCertificateSignals } from './claim-page/progress/certificate-signals.ts';
import { serveProgress } from './claim-page/progress/serve-progress.ts';
import { serveClaimPages } from './claim-page/serve-claim-pages.ts';
import type { GatewayConfig } from './config.ts';
import { serveDocs } from './docs/serve-docs.ts';
import { createFileBundler } from './evidence/bundle-files.ts';
import { createCallFiles } from './evidence/call-files.ts';
import { allowOrigins } from './http/cors.ts';
import { closeServer, createServer } from './http/create-server.ts';
import { answerUnknownRoutes } from './http/not-found.ts';
import { observeCalls } from './http/observe.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { createErrorSender } from './http/send-error.ts';
import { livenessErrors } from './liveness-page/liveness-errors.ts';
import { serveLivenessPage } from './liveness-page/serve-liveness-page.ts';
import { serveOcsp } from './ocsp/serve-ocsp.ts';
import { createOperatorContext } from './operators/context.ts';
import { createForward } from './operators/forward.ts';
import { createOperatorRouter } from './operators/operator-router.ts';
import { serveTrpc } from './operators/serve-trpc.ts';
import { createSignIn } from './operators/sign-in.ts';
import { createPeers } from './peers/clients.ts';
import { servePkiFiles } from './pki-files/pki-files.ts';
import { createHandlers } from './rest/handlers.ts';
import { serveOperations } from './rest/serve-operations.ts';
import { createFetchObject } from './review-evidence/fetch-object.ts';
import { serveEvidence } from './review-evidence/serve-evidence.ts';
import { serveHealth } from './well-known/health.ts';
import { serveJwks } from './well-known/jwks.ts';

const { version } = packageFacts;
const readOnMs = 5_000;

export interface Gateway {
  /** Takes calls from now on. Resolves with the address it listens on. */
  start(): Promise<AddressInfo>;
}

/** Wires the gateway together; `parts.runner` owns what must be closed, in the order of closing. */
export async function buildService(config: GatewayConfig, parts: ServiceParts): Promise<Gateway> {
  const { logger, metrics, runner } = parts;
  const { timeZone, limits } = config;
  const clock = systemClock;
  const keyring = await loadKeyring(config.keys, 'gateway');
  const keys = await loadTokenKeys(config.tokens.keysFile);

  const bus = await openBus('gateway', config.nats, parts);

  const timeoutMs = config.http.rpcTimeoutSeconds * 1000;
  const peers = createPeers({ bus, keyring, timeoutMs });
  const { lifetimeSeconds } = config.tokens;
  const tokens = createAccessTokens({ keys, issuer: config.http.baseUrl, lifetimeSeconds, clock });
  const budget = createByteBudget(limits.bufferedBytes);
  const readForm = createFormBodyReader({ budget });
  const files = createCallFiles(objectStore(bus, evidenceBucket).upload);

  const claimErrors = createClaimErrors({ timeZone });
  const sendError = createErrorSender({
    logger,
    clock,
    timeZone,
    readOnMs,
    pageOf: (fault, request) => claimErrors(fault, request) ?? livenessErrors(fault, request),
  });
  const app = createServer({
    trustProxy: config.http.trustProxy,
    requestTimeoutMs: config.http.requestTimeoutSeconds * 1000,
    isHttps: config.http.baseUrl.startsWith('https:'),
    timeZone,
    sendError,
  });
  runner.own('http', (signal) => closeServer(app, signal));
  await allowOrigins(app, config.http.corsOrigins);
  answerUnknownRoutes(app);
  observeCalls(app, { logger, metrics });
  const rateLimits = await createRateLimits(app, config.rateLimits);

  const signals = createCertificateSignals({ bus, logger });
  serveOperations(app, {
    handlers: createHandlers({
      peers,
      tokens,
      limits,
      timeZone,
      clock,
      lifetimeSeconds,
      readBody: createJsonBodyReader({ budget, turns: createTurns(), openFiles: files.open }),
      readForm,
      bundleFiles: createFileBundler({ keyring }),
      sealPassword: (password) => keyring.sealTo('generation', password),
      openSealed: keyring.openText,
      signals,
    }),
    authenticate: createPartnerAuthentication({
      tokens,
      resolveApiToken: createApiTokens({ peers }),
      external: createExternalIssuer(config.oidc),
      clock,
    }),
    limits: rateLimits,
    files,
    sendError,
  });
  const holder = { flow: createLinkFlow({ peers, keyring }), limit: rateLimits.address };
  const { baseUrl } = config.http;
  serveLivenessPage(app, { peers, readForm, limit: rateLimits.address, baseUrl, timeZone });
  serveClaimPages(app, { ...holder, readForm, baseUrl, timeZone, clock });
  serveProgress(app, { ...holder, signals, maxStreams: config.claimPage.maxStreams });
  servePkiFiles(app, { peers, limit: rateLimits.address });
  serveOcsp(app, { peers, limit: rateLimits.address, budget });
  const fetchObject = createFetchObject(bus);
  serveEvidence(app, { peers, keyring, tokens, fetchObject, budget, limit: rateLimits.address });
  serveTrpc(app, {
    router: createOperatorRouter({
      forward: createForward({ bus, keyring, timeoutMs }),
      signIn: createSignIn({ peers, keyring, tokens }),
    }),
    createContext: createOperatorContext({
      tokens,
      signInLimit: rateLimits.signIn,
      logger,
      metrics: createCallMetrics(metrics),
    }),
    budget,
    readOnMs,
  });
  serveJwks(app, keys);
  serveHealth(app, () => runner.isReady() && bus.isConnected());
  serveDocs(app, { baseUrl: config.http.baseUrl, version });

  return {
    async start() {
      await app.listen({ host: config.http.host, port: config.http.port });
      const address = app.server.address() as AddressInfo;
      logger.info({ host: config.http.host, port: address.port }, 'partners are served');
      return address;
    },
  };
}
