import type { FactorKind } from '@rubrica/contracts/operators/factors';

export interface Enrolled {
  readonly kinds: ReadonlySet<FactorKind>;
  /** In the sandbox. */
  readonly passwordIsEnough: boolean;
}

/**
 * What is due of who has shown the right password: a code of the app, the passkey in place of the password, the enrolment
 * of either, or nothing. Who has enrolled codes is asked for one, in the sandbox too.
 */
export function dueFactor({
  kinds,
  passwordIsEnough,
}: Enrolled): 'code' | 'passkey' | 'enrolment' | 'nothing' {
  if (kinds.has('totp')) return 'code';
  if (passwordIsEnough) return 'nothing';
  return kinds.has('passkey') ? 'passkey' : 'enrolment';
}
