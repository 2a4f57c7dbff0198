export { type Clock, systemClock } from './clock.ts';
export {
  formatLocalDate,
  formatLocalDateTime,
  formatTimestamp,
  parseDateTime,
  zoneOffsetMs,
} from './local-time.ts';
export { type ClockReference, createMeasuredClock, type MeasuredClock } from './measured-clock.ts';
export { isUuidv7, uuidv7 } from './uuidv7.ts';
