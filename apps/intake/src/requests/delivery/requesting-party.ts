import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { KeyringError } from '@rubrica/process/keyring';
import { createCallTokenVerifier } from '@rubrica/process/tokens';
import {
  assertOperator,
  assertPartner,
  type OperatorCaller,
  type PartnerCaller,
} from '@rubrica/process/trpc';
import { assertCurrentRole } from '../../access/operators/assert-current-role.ts';
import type { RequestsDeps } from '../deps.ts';

/** Operator or partner on whose request the notifier acts. */
export interface RequestingParty {
  readonly isPartner: boolean;
  /** Name in the audit log. */
  readonly actor: string;
  /** @throws AppError FORBIDDEN if an operator's current role is no longer sufficient */
  assertStanding(em: EntityManager): Promise<void>;
}

export interface RequestingPartyQuery {
  readonly callToken: string;
  /** Partner concerned: a partner may ask for itself alone. */
  readonly partnerId: string;
  /** Lowest role that an operator must have. */
  readonly role: OperatorRole;
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export type FindRequestingParty = (asked: RequestingPartyQuery) => Promise<RequestingParty>;

/**
 * Creates a function that identifies the party behind a call of the notifier. The notifier passes on the call
 * token that it received, which was made for it and given to the gateway. The token is valid here for as
 * long, 5 s. An operator's current role is checked where the action is decided.
 */
export function createFindRequestingParty({
  keyring,
  tokenClock,
}: Pick<RequestsDeps, 'keyring' | 'tokenClock'>): FindRequestingParty {
  const nowMs = () => tokenClock().getTime();
  const identify = createCallTokenVerifier({ keyring, self: 'notifier', nowMs });
  return async ({ callToken, partnerId, role }) => {
    try {
      const caller = await identify(callToken, 'gateway');
      return caller.kind === 'partner'
        ? askingPartner(assertPartner(caller, 'manager:write'), partnerId)
        : askingOperator(assertOperator(caller, role), role);
    } catch (error) {
      throw error instanceof KeyringError ? new AppError({ code: 'UNAUTHENTICATED', cause: error }) : error;
    }
  };
}

function askingPartner({ partnerId: own, clientId }: PartnerCaller, partnerId: string): RequestingParty {
  if (own !== partnerId) throw new AppError({ code: 'FORBIDDEN' });
  return { isPartner: true, actor: `partner:${clientId}`, assertStanding: async () => undefined };
}

function askingOperator(operator: OperatorCaller, role: OperatorRole): RequestingParty {
  return {
    isPartner: false,
    actor: `operator:${operator.email}`,
    assertStanding: async (em) => void (await assertCurrentRole(em, operator, role)),
  };
}
