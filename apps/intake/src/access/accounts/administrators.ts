import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Administrators } from '@rubrica/approvals/administrators';
import * as administratorsContract from '@rubrica/contracts/services/schemas/administrators';
import { ifIntact, type RowGuard } from '@rubrica/database/guarded';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { breakGlassOperator } from '../operators/break-glass-operator.ts';
import { areIndependent } from '../operators/makers.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { createConfirm, createPasskeyOptionsOfApproval } from '../passkeys/confirm-approval.ts';
import type { PasskeyDeps } from '../passkeys/passkey-settings.ts';

const pageRows = 1_000;
/** Maximum number of pages: many more administrators than an authority has, and many forged ones among them. */
const maxPages = 50;

const findAdministrators = statement<
  { readonly after: string },
  { readonly stored: Readonly<Record<string, unknown>> }
>({
  name: 'find-administrators',
  sql: `select to_jsonb(operator) as stored from operator
    where enabled and role = 'admin' and id <> '${breakGlassOperator.id}' and id > :after
    order by id limit ${pageRows}`,
});

/** Counts the enabled administrators whose rows this service has written. */
export async function countAdministrators(
  target: StatementTarget,
  rows: Pick<RowGuard, 'isIntact'>,
): Promise<number> {
  let count = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await findAdministrators.run(target, { after });
    count += page.filter(({ stored }) => rows.isIntact('operator', stored)).length;
    if (page.length < pageRows) break;
    after = String(page.at(-1)?.stored.id);
  }
  return count;
}

type AdministratorsDeps = Pick<AccessDeps, 'clock' | 'rules' | 'rows'>;
interface Pair {
  readonly operatorId: string;
  readonly proposedBy?: string | undefined;
}

/** Creates the checks of administrators, by the operators' table at the time of a decision. */
export function createAdministrators(
  deps: AdministratorsDeps & Pick<AccessDeps, 'database' | 'keyring'> & PasskeyDeps,
): Administrators {
  return {
    passkeyOptions: createPasskeyOptionsOfApproval(deps),
    confirm: createConfirm(deps),
    requestStatus: async () => undefined,
    readStatus: (em, { operator: { operatorId }, proposedBy }) =>
      checkAdministrators(em, { operatorId, proposedBy }, deps),
  };
}

/** Creates the same check for services that have changes to approve and no operators. */
export function createCheckAdministrators(
  deps: AdministratorsDeps & Pick<AccessDeps, 'database' | 'keyring'>,
): UseCase<'intake', 'administrators.standing'> {
  return async ({ nonce, ...pair }, { peer: aud }) => {
    const result = await deps.database.transaction((em) => checkAdministrators(em, pair, deps));
    const { operatorId, proposedBy = null } = pair;
    const iat = Math.floor(deps.clock().getTime() / 1_000);
    const exp = iat + administratorsContract.administratorsStatementLifeMs / 1_000;
    const claims = { aud, operatorId, proposedBy, nonce, ...result, iat, exp };
    const statement = deps.keyring.signStatement(administratorsContract.administratorsStatementType, claims);
    return { ...result, statement };
  };
}

async function checkAdministrators(
  em: EntityManager,
  { operatorId, proposedBy }: Pair,
  { clock, rules, rows }: AdministratorsDeps,
): Promise<administratorsContract.AdministratorStatus> {
  const operator = await loadAdministrator(em, operatorId);
  const proposer = proposedBy === undefined ? null : await loadAdministrator(em, proposedBy);
  const count = await countAdministrators(em, rows);
  // With fewer than two administrators nobody could approve the step to two.
  const canActAlone = operatorId === breakGlassOperator.id && count < 2;
  return {
    isAdministrator: operator !== null,
    isProposerAdministrator: proposer !== null,
    areIndependent: operator !== null && proposer !== null && areIndependent(operator, proposer, clock()),
    count,
    takeTwo: rules.dualControl === 'required' && !canActAlone,
  };
}

/**
 * Loads an administrator under a lock: a change that disables or demotes it waits for the decision, or the
 * decision sees it.
 */
function loadAdministrator(em: EntityManager, id: string): Promise<Operator | null> {
  const filter = { id, enabled: true, role: 'admin' } as const;
  const options = { lockMode: LockMode.PESSIMISTIC_READ, refresh: true } as const;
  return ifIntact(em.findOne(OperatorEntity, filter, options));
}
