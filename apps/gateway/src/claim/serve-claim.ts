import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyPlan } from '../body/body.ts';
import type { ReadForm } from '../body/read-form-body.ts';
import type { Limit } from '../http/rate-limits.ts';
import { refuseCrossSite } from '../pages/same-site.ts';
import { answerCheck, answerClaim, answerDownload, answerPassword, answerSend } from './answer-forms.ts';
import { answerNewLink } from './answer-new-link.ts';
import { answerReport } from './answer-report.ts';
import { createClaimFlow, createLinkFlow, type LinkFlowDeps } from './link-flow.ts';
import { type ProgressDeps, serveProgress } from './progress/serve-progress.ts';
import type { ScreenName } from './screens/select-screen.ts';
import type { LinkAnswerDeps, LinkRequest } from './send-page.ts';
import { serveLogo } from './serve-logo.ts';
import { createShowContact } from './show-contact.ts';
import { createDeadClaimAnswers } from './show-dead-link.ts';
import { type AnswerForm, createLinkAnswers, type LinkAnswers } from './show-screen.ts';
import type { LinkName } from './types.ts';

interface LinkPageDeps extends LinkAnswerDeps {
  readonly readForm: ReadForm;
  readonly limit: Limit | undefined;
}

const maxBytes = 16 * 1024;
const plan: BodyPlan = { maxBytes, maxFieldBytes: maxBytes, maxBytesOf: () => 0, files: [] };

/** Forms accepted under a claim or renewal link. */
const sharedForms: Readonly<Record<string, AnswerForm>> = {
  '': answerClaim,
  '/code': answerSend,
  '/check': answerCheck,
  '/password': answerPassword,
  '/download': answerDownload,
};

/** Pages under a claim or renewal link; opening one changes nothing. */
const sharedScreens = {
  '': 'begin',
  '/code': 'code',
  '/password': 'password',
} as const satisfies Record<string, ScreenName>;

/** Redirects for the addresses under which a refused form is shown, when it is reloaded or the language is changed. */
const redirectsAfterPost = { '/check': '/code', '/download': '' } as const;

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
  const show = createLinkAnswers(deps, createShowContact(deps));
  serveLinkPages(app, deps, { link: 'renew', show });
}

/** Pages and forms of one kind of link. */
interface LinkPages {
  readonly link: LinkName;
  readonly show: LinkAnswers;
  readonly screens?: Readonly<Record<string, ScreenName>>;
  readonly forms?: Readonly<Record<string, AnswerForm>>;
}

/** Serves the applicant's pages, or the subscriber's. Public: the link's token is the key. */
function serveLinkPages(app: FastifyInstance, deps: LinkPageDeps, own: LinkPages): void {
  const { limit, readForm } = deps;
  const { link, show } = own;
  const readOptions = limit === undefined ? {} : { onRequest: limit };
  const sendOptions = {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await limit?.(request, reply);
      refuseCrossSite(request, deps.baseUrl);
    },
  };
  for (const [below, asked] of Object.entries({ ...sharedScreens, ...own.screens })) {
    app.get(`/${link}/:token${below}`, readOptions, (request: LinkRequest, reply) =>
      show.screen(request, reply, asked),
    );
  }
  for (const [below, redirect] of Object.entries(redirectsAfterPost)) {
    app.get(`/${link}/:token${below}`, readOptions, (request: LinkRequest, reply) =>
      show.next(request, reply, redirect),
    );
  }
  for (const [below, answer] of Object.entries({ ...sharedForms, ...own.forms })) {
    app.post(`/${link}/:token${below}`, sendOptions, async (request: LinkRequest, reply) =>
      answer({ ...deps, show }, { request, reply, fields: await readForm(request, plan) }),
    );
  }
}
