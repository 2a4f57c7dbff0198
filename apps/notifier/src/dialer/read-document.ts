import { documentBudgetMs, longestDocumentBytes } from '@rubrica/contracts/services/schemas/documents';
import type { UseCase } from '@rubrica/wiring';
import type { Dialer } from './dialer.ts';

/** Intake signs tokens and dials nobody: what it needs of strangers' servers is fetched here, behind the guard. */
export function createReadDocument({
  dialer,
}: {
  readonly dialer: Pick<Dialer, 'get'>;
}): UseCase<'notifier', 'documents.read'> {
  return ({ url }) => dialer.get({ url, budgetMs: documentBudgetMs, maxBytes: longestDocumentBytes });
}
