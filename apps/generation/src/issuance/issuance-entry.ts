import type { IssuanceJob } from './lease-issuance.ts';

/** Creates the audit entry of an attempt. */
export function toIssuanceEntry<Action extends `certificate.${string}`>(
  action: Action,
  { requestId, attempt }: IssuanceJob,
  { serial = null, detail }: { readonly serial?: string | null; readonly detail: object },
) {
  return {
    action,
    actor: 'service:generation',
    request_id: requestId,
    attempt,
    serial,
    detail: JSON.stringify(detail),
  };
}
