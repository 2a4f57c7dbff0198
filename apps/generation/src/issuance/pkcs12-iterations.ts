import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';

/** Iterations of the key derivations of a PKCS#12 file, for key and MAC, by the origin of the password. */
export interface Pkcs12Iterations {
  readonly service: number;
  readonly partner: number;
  readonly applicant: number;
}

/**
 * Selects the iterations. Passwords that are easier to guess need more: a person's most, a program's fewer, the 116
 * random bits of this service none. A password that came with the order is never treated as created here, whatever the
 * order states.
 */
export function selectIterations(
  order: Pick<issuanceContract.IssuanceOrder, 'sealedPassword' | 'passwordOrigin'>,
  iterations: Pkcs12Iterations,
): number {
  if (order.sealedPassword === null) return iterations.service;
  return order.passwordOrigin === 'HOLDER' ? iterations.applicant : iterations.partner;
}
