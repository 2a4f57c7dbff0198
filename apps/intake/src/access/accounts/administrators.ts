import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import * as administratorsContract from '@rubrica/contracts/services/schemas/administrators';
import { ifIntact, type RowGuard, type StatementTarget, statement } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';
import type { Administrators } from '@rubrica/wiring/approvals';
import type { AccessDeps } from '../deps.ts';
import { breakGlassOperator } from '../operators/break-glass-operator.ts';
import { areIndependent } from '../operators/independence.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { createConfirm, createPasskeyOptionsOfApproval } from '../passkeys/confirm-approval.ts';
import type { PasskeyDeps } from '../passkeys/passkey-settings.ts';

const pageRows = 1_000;
/** Pages that are read at most: many more administrators than an authority has, and many forged ones among them. */
const mostPages = 50;

const findAdministrators = statement<
  { readonly after: string },
  { readonly stored: Readonly<Record<string, unknown>> }
>({
  name: 'find-administrators',
  sql: `select to_jsonb(operator) as stored from operator
    where enabled and role = 'admin' and id <> '${breakGlassOperator.id}' and id > :after
    order by id limit ${pageRows}`,
});

/** Enabled administrators whose rows this service has written. */
export async function countAdministrators(
  target: StatementTarget,
  rows: Pick<RowGuard, 'isIntact'>,
): Promise<number> {
  let count = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await findAdministrators.run(target, { after });
    count += page.filter(({ stored }) => rows.isIntact('operator', stored)).length;
    if (page.length < pageRows) break;
    after = String(page.at(-1)?.stored.id);
  }
  return count;
}

type Needs = Pick<AccessDeps, 'clock' | 'rules' | 'rows'>;
interface Pair {
  readonly operatorId: string;
  readonly proposedBy?: string | undefined;
}

/** As the operators' table has them at the moment of a decision. */
export function createAdministrators(
  deps: Needs & Pick<AccessDeps, 'database' | 'keyring'> & PasskeyDeps,
): Administrators {
  return {
    passkeyOptions: createPasskeyOptionsOfApproval(deps),
    confirm: createConfirm(deps),
    look: async ({ operator, proposedBy }) => {
      const pair = { operatorId: operator.operatorId, proposedBy };
      return (em) => standingOf(em, pair, deps);
    },
  };
}

/** The same for the services that keep changes of their own and no operators. */
export function createAdministratorsStanding(
  deps: Needs & Pick<AccessDeps, 'database' | 'keyring'>,
): UseCase<'intake', 'administrators.standing'> {
  return async ({ nonce, ...pair }, { peer: aud }) => {
    const standing = await deps.database.transaction((em) => standingOf(em, pair, deps));
    const { operatorId, proposedBy = null } = pair;
    const iat = Math.floor(deps.clock().getTime() / 1_000);
    const exp = iat + administratorsContract.administratorsStatementLifeMs / 1_000;
    const claims = { aud, operatorId, proposedBy, nonce, ...standing, iat, exp };
    const statement = deps.keyring.signStatement(administratorsContract.administratorsStatementType, claims);
    return { ...standing, statement };
  };
}

async function standingOf(
  em: EntityManager,
  { operatorId, proposedBy }: Pair,
  { clock, rules, rows }: Needs,
): Promise<administratorsContract.AdministratorsStanding> {
  const operator = await administrator(em, operatorId);
  const proposer = proposedBy === undefined ? null : await administrator(em, proposedBy);
  const count = await countAdministrators(em, rows);
  // With fewer than two nobody could approve what the deployment needs in order to have two.
  const isAlone = operatorId === breakGlassOperator.id && count < 2;
  return {
    isAdministrator: operator !== null,
    isProposerAdministrator: proposer !== null,
    areIndependent: operator !== null && proposer !== null && areIndependent(operator, proposer, clock()),
    count,
    takeTwo: rules.dualControl === 'required' && !isAlone,
  };
}

/** Whoever disables or demotes one of them waits for the decision, or the decision sees it. */
function administrator(em: EntityManager, id: string): Promise<Operator | null> {
  const standing = { id, enabled: true, role: 'admin' } as const;
  const options = { lockMode: LockMode.PESSIMISTIC_READ, refresh: true } as const;
  return ifIntact(em.findOne(OperatorEntity, standing, options));
}
