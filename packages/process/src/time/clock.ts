/** The only way a use case learns the time, so that a test can say what time it is. */
export type Clock = () => Date;

export function systemClock(): Date {
  return new Date();
}
