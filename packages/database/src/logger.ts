import type { Logger } from '@rubrica/process/log';

/** Part of the service logger used here, so that tools and tests can pass less. */
export type DatabaseLogger = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
