import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import { uuidv7 } from '@rubrica/process/time';
import { pollFor } from '@rubrica/testkit';
import type { ClaimGround } from './claims.ts';
import { asOperator, asPartner } from './running-intake.ts';

export const callbackUrl = 'http://127.0.0.1:9/hook';

/** Requests of one family as a partner, generation and an operator meet them. */
export function familyScene<F extends Family>(ground: () => ClaimGround, family: F) {
  const requests = (partner: Parameters<typeof asPartner>[0] = 'sandbox') =>
    ground().intake.client(asPartner(partner)).requests;
  const own = (requestId: string) => ({ family, requestId });
  const view = (requestId: string) => requests().status.query(own(requestId));
  const reaches = (requestId: string, status: string) =>
    pollFor(
      async () => {
        const record = await view(requestId);
        return record.status === status && record;
      },
      { what: status },
    );
  return {
    requests,
    own,
    view,
    reaches,
    async register(input: requestsContract.RegisterInput): Promise<string> {
      return (await requests().register.mutate(input)).requestId;
    },
    /** Events of the request, as the notifier is given them, oldest first. */
    async events(requestId: string) {
      const notifier = await ground().intake.peer('notifier');
      const rows = await ground().intake.query<{ id: string }>(
        'select id from intake.webhook_event where request_id = $1 order by occurred_at, id',
        [requestId],
      );
      return Promise.all(rows.map(({ id: eventId }) => notifier.events.get.query({ eventId })));
    },
    order: async (requestId: string, attempt = 1) =>
      (await ground().intake.peer('generation')).issuance.order.query({ requestId, attempt }),
    fail: (requestId: string, attempt = 1) =>
      ground().intake.tell('events.certificate.failed', {
        requestId,
        attempt,
        code: 'KEY_GENERATION_FAILED',
      }),
    issue: (requestId: string, attempt = 1, notBefore = ground().clock()) =>
      ground().intake.tell('events.certificate.issued', {
        requestId,
        attempt,
        certificateId: uuidv7(),
        serialNumber: `4A${requestId.replaceAll('-', '').toUpperCase()}`,
        notBefore: notBefore.toISOString(),
        notAfter: '2027-11-20T23:59:59.000Z',
        cappedBy: null,
        truncated: [],
      }),
    rerun: (requestId: string) =>
      ground().intake.operators(asOperator('admin')).requests.rerun.mutate({ requestId, reason: 'mended' }),
  };
}
