import type { FastifyInstance } from 'fastify';
import { answerNewLink } from './answer-new-link.ts';
import { answerReport } from './answer-report.ts';
import { createClaimFlow, createLinkFlow, type LinkFlowDeps } from './link-flow.ts';
import { type ProgressDeps, serveProgress } from './progress/serve-progress.ts';
import { createContactFlow } from './renew/contact-flow.ts';
import { createShowContact } from './renew/contact-page.ts';
import type { LinkRequest } from './send-page.ts';
import { type LinkPageDeps, serveLinkPages } from './serve-link-pages.ts';
import { serveLogo } from './serve-logo.ts';
import { createDeadClaimAnswers } from './show-dead-link.ts';
import { createLinkAnswers } from './show-screen.ts';

export type ClaimDeps = LinkFlowDeps & Omit<LinkPageDeps, 'flow'> & Omit<ProgressDeps, 'flows'>;

/** Serves the pages below `/claim/{token}` and `/renew/{token}`. */
export function serveClaim(app: FastifyInstance, deps: ClaimDeps): void {
  const flows = { claim: createLinkFlow(deps, 'claim'), renew: createLinkFlow(deps, 'renew') };
  serveClaimPages(app, { ...deps, flow: flows.claim });
  serveRenewalPages(app, { ...deps, flow: flows.renew });
  serveLogo(app, { ...deps, flow: flows.claim });
  serveProgress(app, { ...deps, flows });
}

function serveClaimPages(app: FastifyInstance, deps: LinkFlowDeps & LinkPageDeps): void {
  const claims = createClaimFlow(deps);
  const dead = createDeadClaimAnswers(deps, claims);
  const show = createLinkAnswers(deps, dead);
  serveLinkPages(app, deps, {
    link: 'claim',
    show,
    screens: { '/not-me': 'not-me', '/wrong-data': 'wrong-data' },
    forms: {
      '/new-link': answerNewLink(claims),
      '/not-me': answerReport(claims, 'not-me'),
      '/wrong-data': answerReport(claims, 'wrong-data'),
    },
  });
  const readOptions = deps.limit === undefined ? {} : { onRequest: deps.limit };
  app.get(
    '/claim/:token/new-link',
    readOptions,
    async (request: LinkRequest, reply) => (await dead.sent(request, reply)) ?? show.next(request, reply),
  );
}

function serveRenewalPages(app: FastifyInstance, deps: LinkFlowDeps & LinkPageDeps): void {
  const show = createLinkAnswers(deps, createShowContact(deps, createContactFlow(deps)));
  serveLinkPages(app, deps, { link: 'renew', show });
}
