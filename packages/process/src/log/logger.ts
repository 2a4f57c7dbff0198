import { createRequire } from 'node:module';
import { type DestinationStream, pino } from 'pino';
import type { ServiceSettings } from '../config/fragments.ts';
import { currentContext } from '../context/ambient-context.ts';
import { traceIdOf } from '../context/traceparent.ts';
import { release } from '../release.ts';
import { type LogFields, pickLogFields } from './log-fields.ts';
import { summariseError } from './summarise-error.ts';

type LogMethod = (fields: LogFields, message: string) => void;

export type Logger = {
  readonly [Level in 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace']: LogMethod;
} & {
  /** A logger whose lines all carry these fields. */
  child(fields: LogFields): Logger;
};

export type LoggerOptions = ServiceSettings['log'] & {
  service: string;
  /** The commit that it was built from, where that is known. */
  revision?: string | undefined;
  /** Where lines go; standard output unless a test or a tool wants them. */
  destination?: DestinationStream;
};

/**
 * A logger that writes one JSON object per line, fields by allow-list only, with the request and trace id
 * of the work in hand. Writing is synchronous: the last line before a crash is the one that is needed.
 */
export function createLogger({
  service,
  revision,
  level,
  format,
  destination = pino.destination({ fd: 1, sync: true }),
}: LoggerOptions): Logger {
  const root = pino(
    {
      level,
      base: { service, release, ...(revision !== undefined && { revision }), pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'message',
      formatters: { level: (label) => ({ level: label }), log: pickLogFields },
      serializers: { err: (error: unknown) => summariseError(error) },
      mixin: ambientFields,
    },
    format === 'pretty'
      ? prettyStream(destination)
      : (destination ?? pino.destination({ fd: 1, sync: true })),
  );
  return narrow(root);
}

function ambientFields(): Record<string, unknown> {
  const context = currentContext();
  if (!context) return {};
  return { requestId: context.requestId, traceId: traceIdOf(context.traceparent) };
}

function narrow(inner: pino.Logger): Logger {
  return {
    fatal: (fields, message) => inner.fatal(fields, message),
    error: (fields, message) => inner.error(fields, message),
    warn: (fields, message) => inner.warn(fields, message),
    info: (fields, message) => inner.info(fields, message),
    debug: (fields, message) => inner.debug(fields, message),
    trace: (fields, message) => inner.trace(fields, message),
    // pino runs its formatters on a line's fields, not on a child's.
    child: (fields) => narrow(inner.child(pickLogFields(fields))),
  };
}

/** Loaded only when a person asked for it: it costs memory that a service does without. */
function prettyStream(destination: DestinationStream): DestinationStream {
  const require = createRequire(import.meta.url);
  const { prettyFactory } = require('pino-pretty') as typeof import('pino-pretty');
  const prettify = prettyFactory({ messageKey: 'message', ignore: 'pid' });
  return { write: (line) => destination.write(prettify(line) ?? line) };
}
