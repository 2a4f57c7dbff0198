import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyPlan } from '../body/body.ts';
import type { ReadForm } from '../body/read-form-body.ts';
import type { Limit } from '../http/rate-limits.ts';
import { refuseOtherSites } from '../pages/same-site.ts';
import { answerClaim, answerPassword } from './answer-claim.ts';
import { answerCheck, answerSend } from './answer-code.ts';
import { answerDownload } from './answer-download.ts';
import type { AnswerForm } from './form.ts';
import type { Asked } from './screens/screen-of.ts';
import type { LinkRequest, ShowDeps } from './send-page.ts';
import type { Show } from './show-screen.ts';
import type { LinkName } from './types.ts';

export interface LinkPageDeps extends ShowDeps {
  readonly readForm: ReadForm;
  readonly limit: Limit | undefined;
}

const maxBytes = 16 * 1024;
const plan: BodyPlan = { maxBytes, maxFieldBytes: maxBytes, maxBytesOf: () => 0, files: [] };

/** What may be sent below a link of either kind. */
const forms: Readonly<Record<string, AnswerForm>> = {
  '': answerClaim,
  '/code': answerSend,
  '/check': answerCheck,
  '/password': answerPassword,
  '/download': answerDownload,
};

/** What may be opened below a link; it changes nothing. */
const screens = {
  '': 'begin',
  '/code': 'code',
  '/password': 'password',
} as const satisfies Record<string, Asked>;

/** A refused form is shown under the address it was sent to. Reloading it, or changing the language, goes on from here. */
const ways = { '/check': '/code', '/download': '' } as const;

/** What links of one kind have, and those of the other have not. */
export interface OwnPages {
  readonly link: LinkName;
  readonly show: Show;
  readonly screens?: Readonly<Record<string, Asked>>;
  readonly forms?: Readonly<Record<string, AnswerForm>>;
}

/** The applicant's pages, or the subscriber's. Public: the link's token is the key. */
export function serveLinkPages(app: FastifyInstance, deps: LinkPageDeps, own: OwnPages): void {
  const { limit, readForm } = deps;
  const { link, show } = own;
  const reading = limit === undefined ? {} : { onRequest: limit };
  const sending = {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await limit?.(request, reply);
      refuseOtherSites(request, deps.baseUrl);
    },
  };
  for (const [below, asked] of Object.entries({ ...screens, ...own.screens })) {
    app.get(`/${link}/:token${below}`, reading, (request: LinkRequest, reply) =>
      show.screen(request, reply, asked),
    );
  }
  for (const [below, way] of Object.entries(ways)) {
    app.get(`/${link}/:token${below}`, reading, (request: LinkRequest, reply) =>
      show.next(request, reply, way),
    );
  }
  for (const [below, answer] of Object.entries({ ...forms, ...own.forms })) {
    app.post(`/${link}/:token${below}`, sending, async (request: LinkRequest, reply) =>
      answer({ ...deps, show }, { request, reply, fields: await readForm(request, plan) }),
    );
  }
}
