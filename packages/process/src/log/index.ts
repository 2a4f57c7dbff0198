export type { LogFields } from './log-fields.ts';
export { createLogger, type Logger } from './logger.ts';
