import { randomUUID } from 'node:crypto';
import type { ServiceCalls } from '@rubrica/contracts/services/calls';
import {
  administratorsStatementLifeMs,
  administratorsStatementType,
} from '@rubrica/contracts/services/schemas/administrators';
import { approvalGrantLifeMs, approvalGrantType } from '@rubrica/contracts/services/schemas/approval-grants';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { Keyring } from '@rubrica/process/keyring';
import type { z } from 'zod';

type Calls = Pick<
  ServiceCalls['intake'],
  'administrators.standing' | 'administrators.passkeyOptions' | 'administrators.confirmApproval'
>;

type Handler<Row extends Calls[keyof Calls]> = (
  input: z.output<Row['input']>,
  call: { readonly peer: ServiceName },
) => z.input<Row['output']>;

export interface FakeAdministrators {
  readonly calls: { readonly [Name in keyof Calls]: Handler<Calls[Name]> };
  /** Disables an administrator, or enables it again. */
  set(operatorId: string, isEnabled: boolean): void;
  /** Makes the two dependent: one of them has given the other its role within seven days. */
  bind(isBound: boolean): void;
  /** Adds claims to the grants of approvals from now on, or signs them with another key. */
  grant(forged: { readonly claims?: object; readonly signer?: Signer }): void;
  /** Does the same to the statement about the current roles of administrators. */
  state(forged: { readonly claims?: object; readonly signer?: Signer; readonly isAbsent?: boolean }): void;
}

type Signer = Pick<Keyring, 'signStatement'>;

/**
 * Answers calls about administrators in place of intake, for tests of the services that make them. There are two, with
 * any ids, and neither has a passkey.
 */
export function fakeAdministrators(keyring: Signer): FakeAdministrators {
  const disabled = new Set<string>();
  let areBound = false;
  let forged: Parameters<FakeAdministrators['grant']>[0] = {};
  let stated: Parameters<FakeAdministrators['state']>[0] = {};
  const standing: FakeAdministrators['calls']['administrators.standing'] = (
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
  const confirmed: FakeAdministrators['calls']['administrators.confirmApproval'] = (
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
