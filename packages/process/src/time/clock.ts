/** Source of the time for all use cases, so that a test can set the time. */
export type Clock = () => Date;

export function systemClock(): Date {
  return new Date();
}
