import type { Caller } from '@rubrica/contracts/shared/caller';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';

export const nobody: Caller = { kind: 'public' };

export const partner: Caller = {
  kind: 'partner',
  partnerId: '0199aa00-0000-7000-8000-00000000aaaa',
  clientId: 'sandbox-1',
  scopes: ['collector:write'],
};

export const operator = (role: OperatorRole) =>
  ({
    kind: 'operator',
    operatorId: '0199aa00-0000-7000-8000-00000000bbbb',
    email: `${role}@rubrica.test`,
    role,
  }) as const satisfies Caller;

/** Approves what `operator('admin')` proposes. */
export const secondAdministrator = {
  kind: 'operator',
  operatorId: '0199aa00-0000-7000-8000-00000000dddd',
  email: 'admin2@rubrica.test',
  role: 'admin',
} as const satisfies Caller;
