import { createRequire } from 'node:module';
import { type DestinationStream, pino } from 'pino';
import type { ServiceSettings } from '../config/fragments.ts';
import { currentContext } from '../context/ambient-context.ts';
import { readTraceId } from '../context/traceparent.ts';
import { release } from '../release.ts';
import { type LogFields, pickLogFields } from './log-fields.ts';
import { summariseError } from './summarise-error.ts';

type LogMethod = (fields: LogFields, message: string) => void;

export type Logger = {
  readonly [Level in 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace']: LogMethod;
} & {
  /** Creates a logger that adds these fields to every line. */
  child(fields: LogFields): Logger;
};

export type LoggerOptions = ServiceSettings['log'] & {
  service: string;
  /** Commit of the build, if known. */
  revision?: string | undefined;
  /** Destination of the lines; default: standard output. */
  destination?: DestinationStream;
};

/**
 * Creates a logger that writes one JSON object per line, fields by allow-list only, with the request and trace id of
 * the current work. Writing is synchronous: the last line before a crash is the one that is needed.
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
  return { requestId: context.requestId, traceId: readTraceId(context.traceparent) };
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

/** Loads the pretty printer only on request: it costs memory that a service does not need. */
function prettyStream(destination: DestinationStream): DestinationStream {
  const require = createRequire(import.meta.url);
  const { prettyFactory } = require('pino-pretty') as typeof import('pino-pretty');
  const prettify = prettyFactory({ messageKey: 'message', ignore: 'pid' });
  return { write: (line) => destination.write(prettify(line) ?? line) };
}
