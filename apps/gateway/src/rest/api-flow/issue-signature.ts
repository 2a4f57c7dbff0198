import { issuanceSchema } from '@rubrica/contracts/rest/api-flow';
import { formatLocalDateTime } from '@rubrica/process/time';
import type { FastifyReply } from 'fastify';
import { requirePartner } from '../../context.ts';
import type { Handler } from '../../http/handler.ts';
import type { CertificateSignals } from '../../peers/certificate-signals.ts';
import { createOpenBundle } from '../certificates/open-bundle.ts';
import type { RestDeps } from '../deps.ts';
import { createReadStep } from './read-step.ts';
import { signatureIdentifier } from './signature-identifier.ts';
import { waitFor } from './wait-for.ts';

export interface IssueDeps
  extends Pick<RestDeps, 'peers' | 'readJsonBody' | 'sealPassword' | 'openSealed' | 'limits' | 'timeZone'> {
  readonly signals: CertificateSignals;
}

const totalMs = 10_000;
const pace = { lookMs: 1_000, afterHintMs: 100 };

/** Returns a signal that fires when the caller has closed the connection. */
function createCloseSignal({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController();
  raw.once('close', () => closed.abort());
  return closed.signal;
}

/**
 * Starts the issuance and waits for the certificate. A repeated call returns the same file, until its retention ends.
 * Intake starts the generation once, authorises each delivery and records it.
 */
export function createIssueSignature(deps: IssueDeps): Handler {
  const { peers, timeZone } = deps;
  const read = createReadStep(deps, 'issueSignature', issuanceSchema.shape);
  const openBundle = createOpenBundle(deps);
  const formatTime = (date: Date) => formatLocalDateTime(date, timeZone);
  return async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { signatureRequestId: requestId = '', password } = await read(request);
    const sealed =
      password === undefined ? {} : { sealedPassword: await deps.sealPassword(password, requestId) };
    const options = { for: requirePartner(request) };
    const issue = () => peers.intake['signature.issue']({ requestId, ...sealed }, options);
    const {
      isPasswordOurs,
      requestId: _,
      grant,
      ...issued
    } = await waitFor({
      look: issue,
      isOver: ({ status }) => status === 'GENERATED',
      listen: (onHint) => deps.signals.listen(requestId, onHint),
      totalMs,
      pace,
      signal: createCloseSignal(reply),
    });
    const answer = { ...signatureIdentifier.answer(requestId), ...issued };
    if (issued.status !== 'GENERATED' || grant === null) return answer;
    const {
      password: bundlePassword,
      notBefore,
      notAfter,
      ...bundle
    } = await openBundle({ requestId, grant });
    return {
      ...answer,
      ...bundle,
      ...(isPasswordOurs ? { password: bundlePassword } : {}),
      notBefore: formatTime(notBefore),
      notAfter: formatTime(notAfter),
    };
  };
}
