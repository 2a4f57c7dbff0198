import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { OperatorRole, Scope, ServiceName, SessionScope } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '../errors/app-error.ts';

export type ServiceCaller = Extract<Caller, { kind: 'service' }>;
export type PartnerCaller = Extract<Caller, { kind: 'partner' }>;
export type OperatorCaller = Extract<Caller, { kind: 'operator' }>;

const whatItMay: Readonly<Record<SessionScope, ErrorText>> = {
  full: createText('operator.sessionOtherKind'),
  enrolment: createText('operator.enrolFirst'),
  breakGlass: createText('operator.breakGlassLimits'),
};

const rank: Readonly<Record<OperatorRole, number>> = { viewer: 0, reviewer: 1, admin: 2 };

export function assertService(caller: Caller, names: readonly ServiceName[]): ServiceCaller {
  if (caller.kind === 'service' && names.includes(caller.name)) return caller;
  throw new AppError({ code: 'FORBIDDEN' });
}

export function assertPartner(caller: Caller, scope?: Scope): PartnerCaller {
  if (caller.kind !== 'partner') throw new AppError({ code: 'FORBIDDEN' });
  if (scope === undefined || caller.scopes.includes(scope)) return caller;
  throw new AppError({
    code: 'FORBIDDEN',
    text: createText('access.scopeMissing', { scope }),
  });
}

/** @param sessions permitted sessions; a caller without one has a token that is issued to full sessions only */
export function assertOperator(
  caller: Caller,
  role: OperatorRole,
  sessions: readonly SessionScope[] = ['full'],
): OperatorCaller {
  if (caller.kind !== 'operator') throw new AppError({ code: 'FORBIDDEN' });
  const { scope = 'full' } = caller.session ?? {};
  if (!sessions.includes(scope)) throw new AppError({ code: 'FORBIDDEN', text: whatItMay[scope] });
  if (rank[caller.role] >= rank[role]) return caller;
  throw new AppError({
    code: 'FORBIDDEN',
    text: createText('operator.roleNeeded', { needed: role, role: caller.role }),
  });
}
