import type { Database } from '@rubrica/database';
import { leaseSeconds } from './begin-validation.ts';

interface Leased {
  readonly id: string;
  readonly fence: number;
}

const defaultEveryMs = (leaseSeconds * 1_000) / 3;

const renewText = `
update request set lease_until = now() + make_interval(secs => $3)
where id = $1 and fence = $2 and lease_until is not null`;

/**
 * Holds a request while `work` runs, however long its files wait for a checker. Whoever took the request over has
 * another fence: nothing is renewed then, and what is written in the end is refused.
 */
export async function whileLeased<Result>(
  database: Pick<Database, 'statement'>,
  { id, fence, everyMs = defaultEveryMs }: Leased & { readonly everyMs?: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const params = [id, fence, leaseSeconds];
  const renew = () => database.statement({ name: 'renew-lease', text: renewText, params });
  // One that fails leaves the lease that there is, and is made up for by the next.
  const timer = setInterval(() => void renew().catch(() => undefined), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

const releaseText = `
update request set lease_until = null, attempts = greatest(attempts - 1, 0), fence = fence + 1
where id = $1 and fence = $2`;

/** For what could not be begun: it counts as no attempt, and whoever comes next need not wait for the lease. */
export async function releaseLease(
  database: Pick<Database, 'statement'>,
  { id, fence }: Leased,
): Promise<void> {
  await database.statement({ name: 'release-lease', text: releaseText, params: [id, fence] });
}
