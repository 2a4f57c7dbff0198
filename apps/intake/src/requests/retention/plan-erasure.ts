import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { intakeKinds, type RetentionDays, retentionOf } from '../request/retention-of.ts';
import { isTerminal } from '../request/state-machine.ts';
import type { EraseLevel } from './erase-statement.ts';

export interface Erasable {
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

const peersSecrets: readonly Kind[] = ['BUNDLE', 'DELIVERY'];

/** What nobody needs as proof. */
const secrets: readonly Kind[] = ['PASSWORD', 'LINK', 'MESSAGES', ...peersSecrets];

/**
 * What an operator's erasure takes of a request: everything where nothing was issued; else what proves nothing, while
 * the law keeps the rest, and why.
 */
export function planErasure(request: Erasable, days: RetentionDays): PlannedErasure {
  const requestId = request.id;
  const refused = refusalOf(request);
  if (refused !== null) return { level: null, answer: { requestId, refused, erased: [], kept: [] } };
  if (request.status !== 'GENERATED') {
    const erased = [...intakeKinds, ...peersSecrets];
    return { level: 'all', answer: { requestId, refused, erased, kept: [] } };
  }
  const due = retentionOf(request, days);
  const kept = intakeKinds
    .filter((kind) => !secrets.includes(kind))
    .map((kind) => ({ kind, until: due[kind].at?.toISOString() ?? null, rule: due[kind].rule }));
  const register = { kind: 'CERTIFICATE', until: null, rule: 'REGISTER' } as const;
  return {
    level: 'secrets',
    answer: { requestId, refused, erased: [...secrets], kept: [...kept, register] },
  };
}

function refusalOf({ status, legalHoldAt }: Erasable) {
  if (legalHoldAt !== null) return 'LEGAL_HOLD';
  return isTerminal(status) ? null : 'NOT_ENDED';
}
