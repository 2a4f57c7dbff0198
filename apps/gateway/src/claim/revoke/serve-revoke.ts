import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { type AppError, type Keyring, toAppError } from '@rubrica/process';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyPlan } from '../../body/body.ts';
import type { ReadForm } from '../../body/read-form-body.ts';
import type { Limit } from '../../http/rate-limits.ts';
import { type Page, pagePolicy, renderDocument } from '../../pages/layout.ts';
import { languageOf, type PageLanguage } from '../../pages/page-language.ts';
import { refuseOtherSites } from '../../pages/same-site.ts';
import type { Peers } from '../../peers/peers.ts';
import { parseNames, parseProof } from './revoke-form.ts';
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
const nothing = { identificationNumber: '', serialNumber: '' };

function send(reply: FastifyReply, page: Page, context: PageLanguage, status = 200): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-language', context.language)
    .header('content-security-policy', pagePolicy)
    .send(renderDocument(page, context));
}

/** For subscribers who revoke by themselves. Public: what is told without a code is the same for everyone. */
export function serveRevoke(app: FastifyInstance, deps: RevokePageDeps): void {
  const { peers, keyring, limit, readForm } = deps;
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    await limit?.(request, reply);
    refuseOtherSites(request, deps.baseUrl);
  };
  const reading = limit === undefined ? {} : { onRequest: limit };
  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    const context = languageOf(request);
    return send(reply, beginPage({ context, names: nothing, faults: [] }), context);
  };
  app.get('/revoke', reading, begin);
  // A language that was chosen after the form was sent: what was typed is not in the address.
  app.get('/revoke/code', reading, begin);

  app.post('/revoke/code', { onRequest }, async (request, reply) => {
    const context = languageOf(request);
    const { values: names, faults } = parseNames(await readForm(request, plan));
    if (faults.length > 0) return send(reply, beginPage({ context, names, faults }), context, 400);
    const { language } = context;
    const fault = await faultOf(peers.intake['revocations.sendCode']({ target: names, language }));
    if (fault === undefined) return send(reply, codePage({ context, names, faults: [] }), context);
    return send(reply, beginPage({ context, names, faults: ['page'] }), context, httpOf(fault));
  });

  app.post('/revoke', { onRequest }, async (request, reply) => {
    const context = languageOf(request);
    const form = await readForm(request, plan);
    const { values: names, faults: ofNames } = parseNames(form);
    if (ofNames.length > 0) return send(reply, beginPage({ context, names, faults: ofNames }), context, 400);
    const { code, reason, faults } = parseProof(form);
    if (faults.length > 0) return send(reply, codePage({ context, names, faults }), context, 400);
    const sealedCode = await keyring.sealTo('intake', code, { purpose: 'revocation-code', owner: 'gateway' });
    const fault = await faultOf(peers.intake['revocations.revoke']({ target: names, sealedCode, reason }));
    if (fault === undefined) return send(reply, endPage('done', context), context);
    if (fault.code === 'CERTIFICATE_ALREADY_REVOKED')
      return send(reply, endPage('already', context), context, httpOf(fault));
    const shown = fault.code === 'OTP_INVALID' ? 'code' : 'page';
    return send(reply, codePage({ context, names, faults: [shown] }), context, httpOf(fault));
  });
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
