import type { RevocationRequester, RevocationTarget } from '@rubrica/contracts/services/schemas/revocations';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { type AppError, toAppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyPlan } from '../../body/body.ts';
import type { ReadForm } from '../../body/read-form-body.ts';
import { getCallerAddress, getCallerNetwork } from '../../http/caller-address.ts';
import type { Limit } from '../../http/rate-limits.ts';
import { type Page, pagePolicy, renderDocument } from '../../pages/layout.ts';
import { type PageLanguage, selectPageLanguage } from '../../pages/page-language.ts';
import { refuseCrossSite } from '../../pages/same-site.ts';
import type { Peers } from '../../peers/peers.ts';
import { assertToken } from '../claim-link.ts';
import { isSecure } from '../identify-sender.ts';
import { createBrowserValue, formatBrowserCookie, readBrowserValue } from './browser-value.ts';
import { type NamedCertificate, parseNames, parseProof, type RevokeFault } from './revoke-form.ts';
import { renderBeginPage, renderCodePage, renderEndPage } from './revoke-page.ts';

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

/** Certificate that a form identifies, and the address of its forms. */
interface RevocationForm {
  readonly base: string;
  readonly names: NamedCertificate | null;
  readonly faults: readonly RevokeFault[];
  readonly target: () => Promise<RevocationTarget>;
}

type Form = Readonly<Record<string, unknown>>;
type ReadRevocationForm = (request: FastifyRequest, form: Form) => RevocationForm;

/** Identifies the certificate by the fields of the form. */
function byNames(_request: FastifyRequest, form: Form): RevocationForm {
  const { values: names, faults } = parseNames(form);
  return { base: '/revoke', names, faults, target: async () => names };
}

/** Identifies the certificate by the link of its claim. */
function byLink(keyring: RevokePageDeps['keyring']): ReadRevocationForm {
  return (request) => {
    const token = assertToken((request.params as { token: string }).token);
    const target = async () => ({
      sealedToken: await keyring.sealTo('intake', token, { purpose: 'claim-token', owner: 'gateway' }),
    });
    return { base: `/claim/${token}/revoke`, names: null, faults: [], target };
  };
}

/**
 * Describes the browser to intake. A page of the previous release sends no value, and accepts codes that were sent for
 * such a page.
 */
async function describeAsker(
  request: FastifyRequest,
  {
    revocation,
    browser,
    keyring,
  }: { revocation: RevocationForm; browser: string | undefined; keyring: RevokePageDeps['keyring'] },
): Promise<RevocationRequester> {
  const target = await revocation.target();
  const address = getCallerNetwork(getCallerAddress(request));
  if (browser === undefined) return { target, address };
  const binding = { purpose: 'revocation-browser', owner: 'gateway' } as const;
  return { target, address, sealedBrowser: await keyring.sealTo('intake', browser, binding) };
}

/** Serves the revocation by subscribers. Public: without a code or link everyone gets the same answers. */
export function serveRevoke(app: FastifyInstance, deps: RevokePageDeps): void {
  servePage(app, '/revoke', { ...deps, meantBy: byNames });
  servePage(app, '/claim/:token/revoke', { ...deps, meantBy: byLink(deps.keyring) });
}

function servePage(
  app: FastifyInstance,
  path: string,
  deps: RevokePageDeps & { readonly meantBy: ReadRevocationForm },
): void {
  const { limit, meantBy } = deps;
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    await limit?.(request, reply);
    refuseCrossSite(request, deps.baseUrl);
  };
  const readOptions = limit === undefined ? {} : { onRequest: limit };
  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    const context = selectPageLanguage(request);
    // Created here, so that a double click sends the same value, and the second click sends no code.
    const browser = findBrowser(request, {}, deps) ?? createBrowserValue();
    return send(reply, renderBeginPage({ context, ...meantBy(request, {}), browser, faults: [] }), context);
  };
  app.get(path, readOptions, begin);
  // Reached by choosing a language after submitting the form; the address does not contain the input.
  app.get(`${path}/code`, readOptions, begin);
  app.post(`${path}/code`, { onRequest }, (request, reply) => answerAsk(request, reply, deps));
  app.post(path, { onRequest }, (request, reply) => answerProof(request, reply, deps));
}

type AnswerDeps = Parameters<typeof servePage>[2];

/** Sends a code by SMS, valid only for the requesting browser. */
async function answerAsk(request: FastifyRequest, reply: FastifyReply, deps: AnswerDeps) {
  const { peers, keyring, readForm, meantBy } = deps;
  const context = selectPageLanguage(request);
  const form = await readForm(request, plan);
  const revocation = meantBy(request, form);
  const browser = findBrowser(request, form, deps) ?? createBrowserValue();
  if (revocation.faults.length > 0)
    return send(reply, renderBeginPage({ context, ...revocation, browser }), context, 400);
  const asker = await describeAsker(request, { revocation, browser, keyring });
  const { language } = context;
  const fault = await catchFault(peers.intake['revocations.sendCode']({ ...asker, language }));
  if (fault !== undefined)
    return send(
      reply,
      renderBeginPage({ context, ...revocation, browser, faults: ['page'] }),
      context,
      toStatus(fault),
    );
  reply.header('set-cookie', formatBrowserCookie(browser, isSecure(deps)));
  return send(reply, renderCodePage({ context, ...revocation, browser }), context);
}

/** Revokes the certificate with the code that this browser requested. */
async function answerProof(request: FastifyRequest, reply: FastifyReply, deps: AnswerDeps) {
  const { peers, keyring, readForm, meantBy } = deps;
  const context = selectPageLanguage(request);
  const form = await readForm(request, plan);
  const revocation = meantBy(request, form);
  const browser = findBrowser(request, form, deps);
  if (revocation.faults.length > 0)
    return send(reply, renderBeginPage({ context, ...revocation, browser }), context, 400);
  const parts = { context, ...revocation, browser };
  const { code, reason, faults } = parseProof(form);
  if (faults.length > 0) return send(reply, renderCodePage({ ...parts, faults }), context, 400);
  const sealedCode = await keyring.sealTo('intake', code, { purpose: 'revocation-code', owner: 'gateway' });
  const asker = await describeAsker(request, { revocation, browser, keyring });
  const fault = await catchFault(peers.intake['revocations.revoke']({ ...asker, sealedCode, reason }));
  if (fault === undefined) return send(reply, renderEndPage('done', context), context);
  if (fault.code === 'CERTIFICATE_ALREADY_REVOKED')
    return send(reply, renderEndPage('already', context), context, toStatus(fault));
  const faultPosition = fault.code.startsWith('OTP_') ? 'code' : 'page';
  return send(reply, renderCodePage({ ...parts, faults: [faultPosition] }), context, toStatus(fault));
}

function findBrowser(request: FastifyRequest, form: Form, deps: Pick<RevokePageDeps, 'baseUrl'>) {
  return readBrowserValue(form, { cookies: request.headers.cookie, isSecure: isSecure(deps) });
}

async function catchFault(call: Promise<unknown>): Promise<AppError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return toAppError(error);
  }
}

function toStatus({ code }: AppError): number {
  return errorCatalogue[code].http;
}
