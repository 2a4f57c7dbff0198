import type { RevocationAsker, RevocationTarget } from '@rubrica/contracts/services/schemas/revocations';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { type AppError, type Keyring, toAppError } from '@rubrica/process';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyPlan } from '../../body/body.ts';
import type { ReadForm } from '../../body/read-form-body.ts';
import { addressOf, networkOf } from '../../http/address-of.ts';
import type { Limit } from '../../http/rate-limits.ts';
import { type Page, pagePolicy, renderDocument } from '../../pages/layout.ts';
import { languageOf, type PageLanguage } from '../../pages/page-language.ts';
import { refuseOtherSites } from '../../pages/same-site.ts';
import type { Peers } from '../../peers/peers.ts';
import { assertToken } from '../claim-link.ts';
import { isSecure } from '../show-screen.ts';
import { browserCookie, makeBrowserValue, readBrowserValue } from './asking-browser.ts';
import { type NamedCertificate, parseNames, parseProof, type RevokeFault } from './revoke-form.ts';
import { beginPage, codePage, endPage } from './revoke-page.ts';

export interface RevokePageDeps {
  readonly peers: Pick<Peers, 'intake'>;
  readonly keyring: Pick<Keyring, 'sealTo'>;
  readonly readForm: ReadForm;
  readonly limit: Limit | undefined;
  readonly baseUrl: string;
}

const maxBytes = 4 * 1024;
const plan: BodyPlan = { maxBytes, maxFieldBytes: maxBytes, maxBytesOf: () => 0, files: [] };

function send(reply: FastifyReply, page: Page, context: PageLanguage, status = 200): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-language', context.language)
    .header('content-security-policy', pagePolicy)
    .send(renderDocument(page, context));
}

/** Which certificate a form means, and where its forms go. */
interface Meant {
  readonly base: string;
  readonly names: NamedCertificate | null;
  readonly faults: readonly RevokeFault[];
  readonly target: () => Promise<RevocationTarget>;
}

type Form = Readonly<Record<string, unknown>>;
type MeantBy = (request: FastifyRequest, form: Form) => Meant;

/** By what stands in the form. */
function byNames(_request: FastifyRequest, form: Form): Meant {
  const { values: names, faults } = parseNames(form);
  return { base: '/revoke', names, faults, target: async () => names };
}

/** By the link of its claim. */
function byLink(keyring: RevokePageDeps['keyring']): MeantBy {
  return (request) => {
    const token = assertToken((request.params as { token: string }).token);
    const target = async () => ({
      sealedToken: await keyring.sealTo('intake', token, { purpose: 'claim-token', owner: 'gateway' }),
    });
    return { base: `/claim/${token}/revoke`, names: null, faults: [], target };
  };
}

/** Names the browser to intake. A page of the release before brings no value, and takes codes that were sent for such a page. */
async function describeAsker(
  request: FastifyRequest,
  {
    meant,
    browser,
    keyring,
  }: { meant: Meant; browser: string | undefined; keyring: RevokePageDeps['keyring'] },
): Promise<RevocationAsker> {
  const target = await meant.target();
  const address = networkOf(addressOf(request));
  if (browser === undefined) return { target, address };
  const binding = { purpose: 'revocation-browser', owner: 'gateway' } as const;
  return { target, address, sealedBrowser: await keyring.sealTo('intake', browser, binding) };
}

/** For subscribers who revoke by themselves. Public: what is told without a code or a link is the same for everyone. */
export function serveRevoke(app: FastifyInstance, deps: RevokePageDeps): void {
  serveBelow(app, '/revoke', { ...deps, meantBy: byNames });
  serveBelow(app, '/claim/:token/revoke', { ...deps, meantBy: byLink(deps.keyring) });
}

function serveBelow(
  app: FastifyInstance,
  path: string,
  deps: RevokePageDeps & { readonly meantBy: MeantBy },
): void {
  const { limit, meantBy } = deps;
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    await limit?.(request, reply);
    refuseOtherSites(request, deps.baseUrl);
  };
  const reading = limit === undefined ? {} : { onRequest: limit };
  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    const context = languageOf(request);
    // Made here, so that two taps on the button ask for the same browser, and the second sends nothing.
    const browser = findBrowser(request, {}, deps) ?? makeBrowserValue();
    return send(reply, beginPage({ context, ...meantBy(request, {}), browser, faults: [] }), context);
  };
  app.get(path, reading, begin);
  // A language that was chosen after the form was sent: what was typed is not in the address.
  app.get(`${path}/code`, reading, begin);
  app.post(`${path}/code`, { onRequest }, (request, reply) => answerAsk(request, reply, deps));
  app.post(path, { onRequest }, (request, reply) => answerProof(request, reply, deps));
}

type AnswerDeps = Parameters<typeof serveBelow>[2];

/** Sends a code to the telephone, for the browser that asks alone. */
async function answerAsk(request: FastifyRequest, reply: FastifyReply, deps: AnswerDeps) {
  const { peers, keyring, readForm, meantBy } = deps;
  const context = languageOf(request);
  const form = await readForm(request, plan);
  const meant = meantBy(request, form);
  const browser = findBrowser(request, form, deps) ?? makeBrowserValue();
  if (meant.faults.length > 0) return send(reply, beginPage({ context, ...meant, browser }), context, 400);
  const asked = await describeAsker(request, { meant, browser, keyring });
  const { language } = context;
  const fault = await faultOf(peers.intake['revocations.sendCode']({ ...asked, language }));
  if (fault !== undefined)
    return send(reply, beginPage({ context, ...meant, browser, faults: ['page'] }), context, httpOf(fault));
  reply.header('set-cookie', browserCookie(browser, isSecure(deps)));
  return send(reply, codePage({ context, ...meant, browser }), context);
}

/** Revokes for the code that this browser has asked for. */
async function answerProof(request: FastifyRequest, reply: FastifyReply, deps: AnswerDeps) {
  const { peers, keyring, readForm, meantBy } = deps;
  const context = languageOf(request);
  const form = await readForm(request, plan);
  const meant = meantBy(request, form);
  const browser = findBrowser(request, form, deps);
  if (meant.faults.length > 0) return send(reply, beginPage({ context, ...meant, browser }), context, 400);
  const parts = { context, ...meant, browser };
  const { code, reason, faults } = parseProof(form);
  if (faults.length > 0) return send(reply, codePage({ ...parts, faults }), context, 400);
  const sealedCode = await keyring.sealTo('intake', code, { purpose: 'revocation-code', owner: 'gateway' });
  const asked = await describeAsker(request, { meant, browser, keyring });
  const fault = await faultOf(peers.intake['revocations.revoke']({ ...asked, sealedCode, reason }));
  if (fault === undefined) return send(reply, endPage('done', context), context);
  if (fault.code === 'CERTIFICATE_ALREADY_REVOKED')
    return send(reply, endPage('already', context), context, httpOf(fault));
  const shown = fault.code.startsWith('OTP_') ? 'code' : 'page';
  return send(reply, codePage({ ...parts, faults: [shown] }), context, httpOf(fault));
}

function findBrowser(request: FastifyRequest, form: Form, deps: Pick<RevokePageDeps, 'baseUrl'>) {
  return readBrowserValue(form, { cookies: request.headers.cookie, isSecure: isSecure(deps) });
}

async function faultOf(call: Promise<unknown>): Promise<AppError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return toAppError(error);
  }
}

function httpOf({ code }: AppError): number {
  return errorCatalogue[code].http;
}
