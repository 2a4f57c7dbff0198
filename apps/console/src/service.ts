import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { ServiceParts } from '@rubrica/process/runner';
import type { ConsoleConfig } from './config.ts';
import { createBodyReader } from './server/body-reader.ts';
import { createCallers } from './server/callers.ts';
import { createServer } from './server/create-server.ts';
import { createGateway } from './server/gateway/gateway.ts';
import { serveOpenId } from './server/openid/serve-openid.ts';
import { readPages } from './server/pages/read-pages.ts';
import { servePages } from './server/pages/serve-pages.ts';
import { serveGateway } from './server/serve-gateway.ts';
import { serveLive } from './server/serve-live.ts';
import { serveSession } from './server/serve-session.ts';
import { createRenewSession } from './server/session/renew.ts';
import { createRenewIfDue } from './server/session/renew-if-due.ts';
import { createSessionSeal } from './server/session/sealed-session.ts';

export interface Console {
  /** Starts listening. Resolves with the address. */
  start(): Promise<AddressInfo>;
}

/** Wires the console's server; `parts.runner` owns the resources to close. */
export async function buildService(config: ConsoleConfig, parts: ServiceParts): Promise<Console> {
  const { logger, runner } = parts;
  const { consoleUrl } = config.http;
  const nowMs = () => Date.now();
  const gateway = createGateway({
    url: config.gateway.url,
    timeoutMs: config.gateway.timeoutSeconds * 1000,
  });
  runner.own('gateway', async () => gateway.close());
  const callers = createCallers({
    seal: createSessionSeal(config.cookieKeys),
    keepFresh: createRenewIfDue({ renew: createRenewSession({ gateway, nowMs }), nowMs }),
  });
  const app = createServer({
    trustProxy: config.http.trustProxy,
    isHttps: consoleUrl.startsWith('https:'),
    logger,
    draining: runner.draining,
  });
  runner.own('http', async (signal) => {
    signal.addEventListener('abort', () => app.server.closeAllConnections(), { once: true });
    app.server.closeIdleConnections();
    await app.close();
  });
  const isOpenIdOffered = config.openIdIssuer !== undefined;
  serveSession(app, { callers, timeZone: config.timeZone, isOpenIdOffered });
  serveOpenId(app, { gateway, callers, nowMs });
  serveGateway(app, {
    gateway,
    callers,
    bodies: createBodyReader(),
    origin: new URL(consoleUrl).origin,
    nowMs,
  });
  serveLive(app, { gateway, callers });
  servePages(app, await readPages(resolve(config.http.pagesDirectory)));
  return {
    async start() {
      await app.listen({ host: config.http.host, port: config.http.port });
      const address = app.server.address() as AddressInfo;
      logger.info({ host: config.http.host, port: address.port }, 'HTTP server started');
      return address;
    },
  };
}
