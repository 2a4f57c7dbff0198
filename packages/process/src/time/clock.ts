/** The only way a use case learns the time, so that a test can say what time it is. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
