import { AppError } from '@rubrica/process';
import type { FastifyReply } from 'fastify';
import { assertFaultless } from '../fields/assert-faultless.ts';
import { formatDownloadedCookie } from './claim-cookies.ts';
import { parseCode, parseEncoding } from './claim-form.ts';
import { createClaimPageContext } from './claim-link.ts';
import { buildFileName, formatAttachment } from './file-name.ts';
import { type FormDeps, identifySender, type SentForm } from './form.ts';

/** Sends the certificate file: for a new code, or without a code to the browser that claimed. */
export async function answerDownload(
  deps: FormDeps,
  { request, reply, fields }: SentForm,
): Promise<FastifyReply> {
  const { flow, show, timeZone } = deps;
  const { token, place, browser } = identifySender(request, deps);
  const retrieval = fields.code === undefined ? browser.retrieval : undefined;
  const { value: code, faults } = parseCode(fields);
  const encoding = parseEncoding(fields);
  try {
    assertFaultless([...(retrieval === undefined ? faults : []), ...encoding.faults]);
    // Checked before a code is used up for an encoding that the partner does not allow.
    if (encoding.value === 'legacy' && !(await flow.view(token)).offersLegacyFile)
      throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
    const proof = retrieval === undefined ? { code } : { right: retrieval.secret };
    const file = await flow.download(token, proof, encoding.value);
    const name = buildFileName(await flow.view(token), createClaimPageContext(request, timeZone));
    return reply
      .header('content-type', 'application/x-pkcs12')
      .header('content-disposition', formatAttachment(name))
      .header('set-cookie', formatDownloadedCookie(place))
      .send(file);
  } catch (error) {
    const typed =
      retrieval === undefined ? ({ action: 'download', code } as const) : { action: 'retrieve' as const };
    return show.refusal(request, reply, { error, typed });
  }
}
