import { HOUR_MS } from '@rubrica/contracts/shared/durations';

/** Code that went to a telephone by number, within the last day. */
export interface NumberCode {
  readonly sentAt: Date;
  readonly addressSha256: string | null;
}

/**
 * Limits of codes by number to one telephone: in all, and from one address. An address has a share of them,
 * so that a stranger who uses it up leaves the subscriber some.
 * Twenty codes a day with five tries each are 100 guesses at six digits. A stranger with any number of
 * addresses is right with a probability of 1e-4 a day. The link of the claim adds its own fifteen wrong
 * tries, for its owner alone.
 */
export const numberLimits = {
  telephone: { perHour: 10, perDay: 20 },
  address: { perHour: 3, perDay: 6 },
  /**
   * Limit of all codes that revoke one certificate, by the timeline, which includes codes whose rows were
   * deleted. It does not distinguish ways, so there is room for the codes of the link. Its owner's five an
   * hour are never fewer, whatever strangers request.
   */
  certificate: { perHour: 15, perDay: 35 },
} as const;

/**
 * Returns whether another code may go to the telephone.
 * @param codes codes of the last day
 * @param options.timelineSentAt times of the certificate's codes within the last day
 */
export function canRequestByNumber(
  codes: readonly NumberCode[],
  {
    addressSha256,
    timelineSentAt,
    now,
  }: {
    readonly addressSha256: string | null;
    readonly timelineSentAt: readonly Date[];
    readonly now: Date;
  },
): boolean {
  const isWithin = (
    counted: readonly Pick<NumberCode, 'sentAt'>[],
    limit: { perHour: number; perDay: number },
  ) => {
    const lastHour = counted.filter(({ sentAt }) => now.getTime() - sentAt.getTime() < HOUR_MS);
    return lastHour.length < limit.perHour && counted.length < limit.perDay;
  };
  if (!isWithin(codes, numberLimits.telephone)) return false;
  const certificateCodes = timelineSentAt.map((sentAt) => ({ sentAt }));
  if (!isWithin(certificateCodes, numberLimits.certificate)) return false;
  // A gateway of the previous release sends no address; there the limits of its codes apply.
  if (addressSha256 === null) return true;
  const addressCodes = codes.filter((code) => code.addressSha256 === addressSha256);
  return isWithin(addressCodes, numberLimits.address);
}
