import type { DatabaseLogger } from '@rubrica/database/logger';

export const quiet: DatabaseLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
