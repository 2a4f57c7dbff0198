import type { DatabaseLogger } from '../../src/index.ts';

export const quiet: DatabaseLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
