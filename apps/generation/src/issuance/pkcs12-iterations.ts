import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';

/** Rounds of the derivations of a PKCS#12 file, of its key as of its MAC, by who made its password. */
export interface Pkcs12Iterations {
  readonly service: number;
  readonly partner: number;
  readonly applicant: number;
}

/**
 * More rounds for passwords that can be guessed sooner: a person's most, a program's fewer, the 116 random bits of our
 * own need none. A password that came with the order is never taken for one of ours, whatever the order says.
 */
export function iterationsFor(
  order: Pick<issuanceContract.IssuanceOrder, 'sealedPassword' | 'passwordOrigin'>,
  iterations: Pkcs12Iterations,
): number {
  if (order.sealedPassword === null) return iterations.service;
  return order.passwordOrigin === 'HOLDER' ? iterations.applicant : iterations.partner;
}
