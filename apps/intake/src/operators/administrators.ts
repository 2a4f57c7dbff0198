import { LockMode } from '@mikro-orm/core';
import { ifIntact, statement } from '@rubrica/database';
import type { Administrators } from '@rubrica/wiring/approvals';
import { OperatorEntity } from './operator.entity.ts';
import { assertStanding } from './standing.ts';

export const countAdministrators = statement<Record<string, never>, { readonly count: number }>({
  name: 'count-administrators',
  sql: `select count(*)::int as count from operator where enabled and role = 'admin'`,
});

/** As the operators' table has them at the moment of a decision. */
export const administrators: Administrators = {
  assert: (em, operator) => assertStanding(em, operator, 'admin'),
  async isAdministrator(em, operatorId) {
    const standing = { id: operatorId, enabled: true, role: 'admin' } as const;
    // Whoever disables or demotes one of them waits for the decision, or the decision sees it.
    const options = { lockMode: LockMode.PESSIMISTIC_READ, refresh: true } as const;
    return Boolean(await ifIntact(em.findOne(OperatorEntity, standing, options)));
  },
  count: async (em) => (await countAdministrators.run(em, {}))[0]?.count ?? 0,
};
