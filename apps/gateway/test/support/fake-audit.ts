import type { AuditService } from '@rubrica/contracts/operators/audit';
import type { OperatorUseCase } from '@rubrica/wiring';

/** Several services answer the same paths; each says which it is. */
export function auditUseCase(service: AuditService): OperatorUseCase<'audit.list'> {
  const at = '2026-11-21T00:00:00.000Z';
  const item = { service, id: '1', sequence: 1, hash: null, at, actor: 'a', action: 'b' };
  return () => ({
    items: [{ ...item, target: null, requestId: null, reason: null, details: {} }],
    nextCursor: null,
  });
}
