import { documentBudgetMs, maxDocumentBytes } from '@rubrica/contracts/services/schemas/documents';
import type { UseCase } from '@rubrica/wiring';
import type { Dialer } from './dialer.ts';

/**
 * Fetches documents of third-party servers for intake, behind the guard: intake signs tokens and makes no outgoing
 * calls.
 */
export function createReadDocument({
  dialer,
}: {
  readonly dialer: Pick<Dialer, 'get'>;
}): UseCase<'notifier', 'documents.read'> {
  return ({ url }) => dialer.get({ url, budgetMs: documentBudgetMs, maxBytes: maxDocumentBytes });
}
