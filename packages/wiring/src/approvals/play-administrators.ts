import { randomUUID } from 'node:crypto';
import {
  administratorsStatementLifeMs,
  administratorsStatementType,
} from '@rubrica/contracts/services/schemas/administrators';
import { approvalGrantLifeMs, approvalGrantType } from '@rubrica/contracts/services/schemas/approval-grants';
import type { Keyring } from '@rubrica/process';
import type { UseCase } from '../calls/handlers.ts';

export interface PlayedAdministrators {
  readonly calls: {
    readonly [Name in
      | 'administrators.standing'
      | 'administrators.passkeyOptions'
      | 'administrators.confirmApproval']: UseCase<'intake', Name>;
  };
  /** Who is no enabled administrator any more, or is one again. */
  set(operatorId: string, isEnabled: boolean): void;
  /** Whether one of them has made the other what he is, within seven days. */
  bind(isBound: boolean): void;
  /** From now on the grant of an approval also says this, or is signed by another. */
  grant(forged: { readonly claims?: object; readonly signer?: Signer }): void;
  /** Does the same to the answer how administrators stand. */
  state(forged: { readonly claims?: object; readonly signer?: Signer; readonly isAbsent?: boolean }): void;
}

type Signer = Pick<Keyring, 'signStatement'>;

/**
 * Intake's word on administrators, for tests of the services that ask for it. There are two, whoever they are, and
 * neither has a passkey.
 */
export function playAdministrators(keyring: Signer): PlayedAdministrators {
  const disabled = new Set<string>();
  let areBound = false;
  let forged: Parameters<PlayedAdministrators['grant']>[0] = {};
  let stated: Parameters<PlayedAdministrators['state']>[0] = {};
  const standing: PlayedAdministrators['calls']['administrators.standing'] = (
    { operatorId, proposedBy, nonce },
    { peer: aud },
  ) => {
    const answer = {
      isAdministrator: !disabled.has(operatorId),
      isProposerAdministrator: proposedBy !== undefined && !disabled.has(proposedBy),
      areIndependent: operatorId !== proposedBy && !areBound,
      count: 2 - disabled.size,
      takeTwo: true,
    };
    const iat = Math.floor(Date.now() / 1_000);
    const exp = iat + administratorsStatementLifeMs / 1_000;
    const claims = { aud, operatorId, proposedBy: proposedBy ?? null, nonce, ...answer, iat, exp };
    const { signStatement } = stated.signer ?? keyring;
    const statement = signStatement(administratorsStatementType, { ...claims, ...stated.claims });
    return { ...answer, ...(stated.isAbsent ? {} : { statement }) };
  };
  const confirmed: PlayedAdministrators['calls']['administrators.confirmApproval'] = (
    { operatorId: sub, digest },
    { peer: aud },
  ) => {
    const iat = Math.floor(Date.now() / 1_000);
    const claims = { aud, sub, digest, jti: randomUUID(), iat, exp: iat + approvalGrantLifeMs / 1_000 };
    const { signStatement } = forged.signer ?? keyring;
    return { grant: signStatement(approvalGrantType, { ...claims, ...forged.claims }) };
  };
  return {
    calls: {
      'administrators.standing': standing,
      'administrators.passkeyOptions': () => ({ options: null }),
      'administrators.confirmApproval': confirmed,
    },
    grant: (next) => {
      forged = next;
    },
    state: (next) => {
      stated = next;
    },
    set: (operatorId, isEnabled) => void (isEnabled ? disabled.delete(operatorId) : disabled.add(operatorId)),
    bind(isBound) {
      areBound = isBound;
    },
  };
}
