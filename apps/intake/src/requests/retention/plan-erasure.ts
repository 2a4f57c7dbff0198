import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { determineRetention, intakeKinds, type RetentionDays } from '../request/determine-retention.ts';
import { isTerminal } from '../request/state-machine.ts';
import type { EraseLevel } from './erase-statement.ts';

export interface ErasableRequest {
  readonly id: string;
  readonly status: Status;
  readonly endedAt: Date;
  readonly notAfter: Date | null;
  readonly legalHoldAt: Date | null;
}

export interface PlannedErasure {
  readonly level: EraseLevel | null;
  readonly answer: OperatorOutput<'requests.erase'>['requests'][number];
}

type Kind = retentionContract.HoldingKind;

const peerSecrets: readonly Kind[] = ['BUNDLE', 'DELIVERY'];

/** Kinds that nobody needs as proof. */
const secrets: readonly Kind[] = ['PASSWORD', 'LINK', 'MESSAGES', ...peerSecrets];

/**
 * Plans what an operator's erasure deletes of a request: everything if nothing was issued. Else it deletes
 * what proves nothing; the answer lists what the law keeps, and why.
 */
export function planErasure(request: ErasableRequest, days: RetentionDays): PlannedErasure {
  const requestId = request.id;
  const refusal = findRefusal(request);
  if (refusal !== null) return { level: null, answer: { requestId, refused: refusal, erased: [], kept: [] } };
  if (request.status !== 'GENERATED') {
    const erased = [...intakeKinds, ...peerSecrets];
    return { level: 'all', answer: { requestId, refused: refusal, erased, kept: [] } };
  }
  const due = determineRetention(request, days);
  const kept = intakeKinds
    .filter((kind) => !secrets.includes(kind))
    .map((kind) => ({ kind, until: due[kind].at?.toISOString() ?? null, rule: due[kind].rule }));
  const register = { kind: 'CERTIFICATE', until: null, rule: 'REGISTER' } as const;
  return {
    level: 'secrets',
    answer: { requestId, refused: refusal, erased: [...secrets], kept: [...kept, register] },
  };
}

function findRefusal({ status, legalHoldAt }: ErasableRequest) {
  if (legalHoldAt !== null) return 'LEGAL_HOLD';
  return isTerminal(status) ? null : 'NOT_ENDED';
}
