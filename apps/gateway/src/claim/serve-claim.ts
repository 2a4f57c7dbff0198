import type { FastifyInstance } from 'fastify';
import { createLinkFlow, type LinkFlowDeps } from './link-flow.ts';
import { type ProgressDeps, serveProgress } from './progress/serve-progress.ts';
import { type ClaimPageDeps, serveClaimPages } from './serve-claim-pages.ts';
import { serveLogo } from './serve-logo.ts';

export type ClaimDeps = LinkFlowDeps & Omit<ClaimPageDeps, 'flow'> & Omit<ProgressDeps, 'flow'>;

/** Everything below `/claim/{token}`. */
export function serveClaim(app: FastifyInstance, deps: ClaimDeps): void {
  const flow = createLinkFlow(deps);
  serveClaimPages(app, { ...deps, flow });
  serveLogo(app, { ...deps, flow });
  serveProgress(app, { ...deps, flow });
}
