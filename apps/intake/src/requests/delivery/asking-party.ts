import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import {
  AppError,
  assertOperator,
  assertPartner,
  createCallTokenVerifier,
  KeyringError,
  type OperatorCaller,
  type PartnerCaller,
} from '@rubrica/process';
import { assertStanding } from '../../access/operators/standing.ts';
import type { RequestsDeps } from '../deps.ts';

/** Operator or partner on whose word the notifier acts. */
export interface AskingParty {
  readonly isPartner: boolean;
  /** Name in the audit log. */
  readonly actor: string;
  /** @throws AppError FORBIDDEN where an operator may not decide any more */
  assertStanding(em: EntityManager): Promise<void>;
}

export interface Asked {
  readonly callToken: string;
  /** Partner that it is about: a partner asks for itself alone. */
  readonly partnerId: string;
  /** Least role of an operator who asks. */
  readonly role: OperatorRole;
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export type FindAskingParty = (asked: Asked) => Promise<AskingParty>;

/**
 * The notifier shows the call token of the call that it got, which was made for it and given to the gateway, and counts for
 * as long here, 5 s. Whether an operator may still decide is asked where it is decided.
 */
export function createFindAskingParty({
  keyring,
  tokenClock,
}: Pick<RequestsDeps, 'keyring' | 'tokenClock'>): FindAskingParty {
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

function askingPartner({ partnerId: own, clientId }: PartnerCaller, partnerId: string): AskingParty {
  if (own !== partnerId) throw new AppError({ code: 'FORBIDDEN' });
  return { isPartner: true, actor: `partner:${clientId}`, assertStanding: async () => undefined };
}

function askingOperator(operator: OperatorCaller, role: OperatorRole): AskingParty {
  return {
    isPartner: false,
    actor: `operator:${operator.email}`,
    assertStanding: async (em) => void (await assertStanding(em, operator, role)),
  };
}
