import { HOUR_MS } from '@rubrica/contracts/shared/durations';

/** A code that went to a telephone by number, within the last day. */
export interface NumberCode {
  readonly sentAt: Date;
  readonly addressSha256: string | null;
}

/**
 * Codes by number that go to one telephone: in all, and as asked for from one address. An address has a share of them, so
 * that a stranger who uses up theirs leaves the subscriber some.
 *
 * Twenty codes a day with five tries each are 100 guesses at six digits. A stranger with any number of addresses is right with a
 * probability of 1e-4 a day. The link of the claim adds its own fifteen wrong tries, for its owner alone.
 */
export const numberLimits = {
  telephone: { perHour: 10, perDay: 20 },
  address: { perHour: 3, perDay: 6 },
  /**
   * All codes that revoke one certificate, by the timeline, which has those whose rows were deleted too. It does not tell ways apart, so
   * there is room for what the link may ask: the five an hour of its owner are never fewer, whatever strangers ask for.
   */
  certificate: { perHour: 15, perDay: 35 },
} as const;

/**
 * Tells if another code may go to the telephone.
 * @param codes of the last day
 * @param options.timelineSentAt codes of the certificate within the last day
 */
export function mayAskByNumber(
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
  const ofCertificate = timelineSentAt.map((sentAt) => ({ sentAt }));
  if (!isWithin(ofCertificate, numberLimits.certificate)) return false;
  // Of a gateway of the release before no address is known; there the limits of its codes hold.
  if (addressSha256 === null) return true;
  const ofAddress = codes.filter((code) => code.addressSha256 === addressSha256);
  return isWithin(ofAddress, numberLimits.address);
}
