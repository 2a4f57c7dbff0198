import type { Logger } from '@rubrica/process';

/** The part of the service logger used here, so that tools and tests can pass less. */
export type DatabaseLogger = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
