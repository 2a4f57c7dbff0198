import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyPlan } from '../body/body.ts';
import type { ReadForm } from '../body/read-form-body.ts';
import type { Limit } from '../http/rate-limits.ts';
import { refuseOtherSites } from '../pages/same-site.ts';
import { answerClaim, answerPassword } from './answer-claim.ts';
import { answerCheck, answerSend } from './answer-code.ts';
import { answerDownload } from './answer-download.ts';
import { answerNewLink } from './answer-new-link.ts';
import { answerReport } from './answer-report.ts';
import type { AnswerForm } from './form.ts';
import type { LinkRequest, ShowDeps } from './send-page.ts';
import { createShow } from './show-screen.ts';

export interface ClaimPageDeps extends ShowDeps {
  readonly readForm: ReadForm;
  readonly limit: Limit | undefined;
}

const maxBytes = 16 * 1024;
const plan: BodyPlan = { maxBytes, maxFieldBytes: maxBytes, maxBytesOf: () => 0, files: [] };

/** What may be sent below a link. */
const forms: Readonly<Record<string, AnswerForm>> = {
  '': answerClaim,
  '/code': answerSend,
  '/check': answerCheck,
  '/password': answerPassword,
  '/download': answerDownload,
  '/new-link': answerNewLink,
  '/not-me': answerReport('not-me'),
  '/wrong-data': answerReport('wrong-data'),
};

/** What may be opened below a link; it changes nothing. */
const screens = {
  '': 'begin',
  '/code': 'code',
  '/password': 'password',
  '/not-me': 'not-me',
  '/wrong-data': 'wrong-data',
} as const;

/** A refused form is shown under the address it was sent to. Reloading it, or changing the language, goes on from here. */
const ways = { '/check': '/code', '/download': '' } as const;

/** The applicant's pages. Public: the link's token is the key. */
export function serveClaimPages(app: FastifyInstance, deps: ClaimPageDeps): void {
  const { limit, readForm } = deps;
  const reading = limit === undefined ? {} : { onRequest: limit };
  const sending = {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await limit?.(request, reply);
      refuseOtherSites(request, deps.baseUrl);
    },
  };
  const show = createShow(deps);
  for (const [below, asked] of Object.entries(screens)) {
    app.get(`/claim/:token${below}`, reading, (request: LinkRequest, reply) =>
      show.screen(request, reply, asked),
    );
  }
  app.get('/claim/:token/new-link', reading, (request: LinkRequest, reply) => show.newLink(request, reply));
  for (const [below, way] of Object.entries(ways)) {
    app.get(`/claim/:token${below}`, reading, (request: LinkRequest, reply) =>
      show.next(request, reply, way),
    );
  }
  for (const [below, answer] of Object.entries(forms)) {
    app.post(`/claim/:token${below}`, sending, async (request: LinkRequest, reply) =>
      answer({ ...deps, show }, { request, reply, fields: await readForm(request, plan) }),
    );
  }
}
