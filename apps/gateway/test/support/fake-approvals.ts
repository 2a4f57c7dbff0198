import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { ApprovalService } from '@rubrica/contracts/shared/enumerations';
import type { OperatorUseCase } from '@rubrica/wiring';
import { at } from './fake-time.ts';

type Approval = OperatorOutput<'approvals.get'>;

const procedures = {
  intake: 'partners.update',
  generation: 'certificates.release',
  terms: 'terms.activate',
} as const satisfies Record<ApprovalService, string>;

function waiting(service: ApprovalService, id: string): Approval {
  return {
    id,
    change: { procedure: procedures[service], input: {} },
    before: null,
    after: {},
    proposedBy: 'admin@example.com',
    reason: null,
    createdAt: at,
    expiresAt: at,
  };
}

/** Three that wait in each service, made in turns. */
export function approvalUseCases(service: ApprovalService): {
  'approvals.list': OperatorUseCase<'approvals.list'>;
  'approvals.approve': OperatorUseCase<'approvals.approve'>;
} {
  const turn = Object.keys(procedures).indexOf(service);
  const ids = [2, 1, 0].map((round) => `${service}.01900000-0000-7000-8000-00000000000${3 * round + turn}`);
  return {
    'approvals.list': ({ cursor, limit }) => {
      const before = cursor?.slice(-12) ?? '~';
      const found = ids.filter((id) => id.slice(-12) < before);
      const items = found.slice(0, limit).map((id) => waiting(service, id));
      const last = items.at(-1)?.id ?? null;
      return { items, nextCursor: found.length > limit ? last : null, unanswered: [] };
    },
    'approvals.approve': ({ id }) => ({ ...waiting(service, id), result: { service } }),
  };
}
