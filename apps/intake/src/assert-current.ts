import type { Caller } from '@rubrica/contracts/shared/caller';
import { AppError } from '@rubrica/process';
import type { OperatorDirectory } from './operators/operator-directory.ts';
import type { PartnerDirectory } from './partners/partner-directory.ts';

export interface AssertCurrentDeps {
  readonly partners: Pick<PartnerDirectory, 'get'>;
  readonly operators: OperatorDirectory;
}

/**
 * An access token outlives the rights that it was made from. It says which state of them that was (`gen`), and counts as
 * long as the row, a few seconds old at most, is in that state.
 * @throws AppError UNAUTHENTICATED where a right has ended since, FORBIDDEN for a partner that is switched off
 */
export async function assertCurrent(
  caller: Caller,
  { partners, operators }: AssertCurrentDeps,
): Promise<void> {
  if (caller.kind === 'partner') assertSame(caller.gen, await partners.get(caller.partnerId));
  if (caller.kind === 'operator') assertSame(caller.gen, await operators.get(caller.operatorId));
}

/** Callers whose token is not ours have none: an API token is asked for again every few seconds. */
function assertSame(gen: number | undefined, row: { readonly gen: number }): void {
  if (gen === undefined || gen === row.gen) return;
  const publicMessage = 'The access token has ended because a right was taken away: ask for a new one';
  throw new AppError({ code: 'UNAUTHENTICATED', publicMessage });
}
