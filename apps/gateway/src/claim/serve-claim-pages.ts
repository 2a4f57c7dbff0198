import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { type AppError, type Clock, errorDetail, toAppError } from '@rubrica/process';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyPlan } from '../body/body.ts';
import type { ReadForm } from '../body/read-form-body.ts';
import { assertFaultless } from '../fields/assert-faultless.ts';
import { invalidField } from '../fields/field-fault.ts';
import { addressOf } from '../http/address-of.ts';
import type { Limit } from '../http/rate-limits.ts';
import { pagePolicy, renderDocument } from '../pages/layout.ts';
import { takesPages } from '../pages/page-language.ts';
import { refuseOtherSites } from '../pages/same-site.ts';
import { parseClaimForm, parseCode } from './claim-form.ts';
import { assertToken, pageContextOf } from './claim-link.ts';
import type { LinkFlow } from './link-flow.ts';
import { address, claimPage } from './pages.ts';
import { refusedForm } from './refused-form.ts';
import { weaknessTexts } from './screening/weakness.ts';
import type { Refused } from './types.ts';

export interface ClaimPageDeps {
  readonly flow: LinkFlow;
  readonly readForm: ReadForm;
  readonly limit: Limit | undefined;
  readonly baseUrl: string;
  readonly timeZone: string;
  readonly clock: Clock;
}

type LinkRequest = FastifyRequest<{ Params: { token: string } }>;
type Typed = Parameters<typeof refusedForm>[1];

const maxBytes = 16 * 1024;
const plan: BodyPlan = { maxBytes, maxFieldBytes: maxBytes, maxBytesOf: () => 0, files: [] };

/** The applicant's pages. Public: the link's token is the key. */
export function serveClaimPages(app: FastifyInstance, deps: ClaimPageDeps): void {
  const { limit } = deps;
  const reading = limit === undefined ? {} : { onRequest: limit };
  const sending = {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await limit?.(request, reply);
      refuseOtherSites(request, deps.baseUrl);
    },
  };
  const show = createShow(deps);
  const refusal = createRefusal(show);
  const form = (request: LinkRequest) => deps.readForm(request, plan);

  app.get('/claim/:token', reading, (request: LinkRequest, reply) => show(request, reply));

  const forms: Forms = { deps, sending, refusal, form };
  serveCodeForm(app, forms);
  serveClaimForm(app, forms);
  serveDownloadForm(app, forms);

  // A refused form is shown under the address it was sent to. Reloading it, or changing the language, goes to the page.
  for (const below of ['/code', '/download']) {
    app.get(`/claim/:token${below}`, reading, (request: LinkRequest, reply) => toPage(request, reply, deps));
  }
}

interface Forms {
  readonly deps: ClaimPageDeps;
  readonly sending: { readonly onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void> };
  readonly refusal: ReturnType<typeof createRefusal>;
  readonly form: (request: LinkRequest) => ReturnType<ClaimPageDeps['readForm']>;
}

/** Sends a code to the applicant. */
function serveCodeForm(app: FastifyInstance, { deps, sending, refusal, form }: Forms): void {
  app.post('/claim/:token/code', sending, async (request: LinkRequest, reply) => {
    const token = assertToken(request.params.token);
    await form(request);
    try {
      await deps.flow.sendCode(token, pageContextOf(request, deps.timeZone).language);
    } catch (error) {
      return refusal(request, reply, { error, typed: { action: 'send' } });
    }
    return toPage(request, reply, deps);
  });
}

/** Claims the request with code, terms and password. */
function serveClaimForm(app: FastifyInstance, { deps, sending, refusal, form }: Forms): void {
  app.post('/claim/:token', sending, async (request: LinkRequest, reply) => {
    const token = assertToken(request.params.token);
    const { values, faults } = parseClaimForm(await form(request));
    const { code, acceptTerms, password } = values;
    const wellFormed = !faults.some(({ field }) => field === 'password');
    const weakness = wellFormed ? await deps.flow.weaknessOf(token, password) : undefined;
    try {
      const unaccepted = values.termsId !== undefined && !acceptTerms;
      assertFaultless([
        ...faults,
        ...(weakness === undefined ? [] : [invalidField('password', weaknessTexts[weakness])]),
        ...(unaccepted ? [errorDetail('TERMS_NOT_ACCEPTED', 'acceptTerms')] : []),
      ]);
      await deps.flow.claim(token, values, visitOf(request, deps.timeZone));
    } catch (error) {
      return refusal(request, reply, { error, typed: { action: 'claim', code, acceptTerms, weakness } });
    }
    return toPage(request, reply, deps);
  });
}

/** Sends the certificate file for a fresh code. */
function serveDownloadForm(app: FastifyInstance, { deps, sending, refusal, form }: Forms): void {
  app.post('/claim/:token/download', sending, async (request: LinkRequest, reply) => {
    const token = assertToken(request.params.token);
    const { value: code, faults } = parseCode(await form(request));
    try {
      assertFaultless(faults);
      const { file, serialNumber } = await deps.flow.download(token, code);
      return reply
        .header('content-type', 'application/x-pkcs12')
        .header('content-disposition', `attachment; filename="certificate-${fileName(serialNumber)}.p12"`)
        .send(file);
    } catch (error) {
      return refusal(request, reply, { error, typed: { action: 'download', code } });
    }
  });
}

type Show = (
  request: LinkRequest,
  reply: FastifyReply,
  refused?: { fault: AppError; form: Refused },
) => Promise<FastifyReply>;

/** Sends the page of the state the link is in. It changes nothing. */
function createShow({ flow, clock, timeZone }: ClaimPageDeps): Show {
  return async (request, reply, refused) => {
    const view = await flow.view(assertToken(request.params.token));
    const context = pageContextOf(request, timeZone);
    const terms = await flow.terms(view);
    const page = claimPage({ view, context, terms, now: clock(), refused: refused?.form });
    if (refused !== undefined) reply.code(errorCatalogue[refused.fault.code].http);
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-language', context.language)
      .header('content-security-policy', pagePolicy)
      .send(renderDocument(page, context));
  };
}

/** Shows a refused form again where the applicant can correct it there; any other fault becomes an error. */
function createRefusal(show: Show) {
  return async (
    request: LinkRequest,
    reply: FastifyReply,
    { error, typed }: { error: unknown; typed: Typed },
  ): Promise<FastifyReply> => {
    const fault = toAppError(error);
    const form = takesPages(request.headers.accept) ? refusedForm(fault, typed) : undefined;
    if (form === undefined) throw fault;
    if (form.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(Math.max(1, Math.ceil(form.retryAfterSeconds))));
    }
    return show(request, reply, { fault, form });
  };
}

/** 303: the browser asks for the page anew, and reloading it sends nothing twice (RFC 9110 §15.4.4). */
function toPage(request: LinkRequest, reply: FastifyReply, { timeZone }: ClaimPageDeps): FastifyReply {
  assertToken(request.params.token);
  return reply
    .code(303)
    .header('location', address(pageContextOf(request, timeZone)))
    .send();
}

function visitOf(request: LinkRequest, timeZone: string) {
  return {
    language: pageContextOf(request, timeZone).language,
    remoteAddress: addressOf(request),
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
  };
}

function fileName(serialNumber: string): string {
  return serialNumber.replace(/[^0-9A-Fa-f]/g, '').slice(0, 40);
}
