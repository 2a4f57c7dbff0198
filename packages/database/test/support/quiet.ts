import type { DatabaseLogger } from '../../src/logger.ts';

export const quiet: DatabaseLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
