import type { FactorKind } from '@rubrica/contracts/operators/factors';

export interface EnrolledFactors {
  readonly kinds: ReadonlySet<FactorKind>;
  /** Sandbox mode. */
  readonly passwordIsEnough: boolean;
}

/**
 * Determines what is due after the right password: a code of the app, the passkey instead, the enrolment of
 * either, or nothing. An operator with codes enrolled is asked for one, in the sandbox too.
 */
export function chooseDueFactor({
  kinds,
  passwordIsEnough,
}: EnrolledFactors): 'code' | 'passkey' | 'enrolment' | 'nothing' {
  if (kinds.has('totp')) return 'code';
  if (passwordIsEnough) return 'nothing';
  return kinds.has('passkey') ? 'passkey' : 'enrolment';
}
