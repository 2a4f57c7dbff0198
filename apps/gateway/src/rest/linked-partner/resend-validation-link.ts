import { formatLocalDateTime } from '@rubrica/process/time';
import { createOperationBodyPlan } from '../../body/body.ts';
import { requirePartner } from '../../context.ts';
import { createIdentifier } from '../../fields/identifier.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';

/** Sends the claim e-mail again. */
export function createResendValidationLink(
  deps: Pick<RestDeps, 'peers' | 'readJsonBody' | 'limits' | 'timeZone'>,
): Handler {
  const plan = createOperationBodyPlan('resendValidationLink', deps.limits);
  const identifier = createIdentifier('TV');
  return async (request) => {
    const body = await deps.readJsonBody(request, plan);
    const { reference, faults } = identifier.fromBody(body.fields, { shape: {} });
    const resent = await deps.peers.intake['requests.resendLink'](
      { ...reference, faults },
      { for: requirePartner(request) },
    );
    return {
      linkedPartnerRequestId: resent.requestId,
      referenceTransaction: resent.referenceTransaction,
      status: resent.status,
      sentTo: resent.sentTo,
      resendCount: resent.resendCount,
      resendsRemaining: resent.resendsRemaining,
      linkExpiresAt: formatLocalDateTime(new Date(resent.linkExpiresAt), deps.timeZone),
      updatedDate: formatLocalDateTime(new Date(resent.updatedAt), deps.timeZone),
    };
  };
}
