import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError, isErrorCode } from '../errors/app-error.ts';
import { type ClientError, isClientError } from '../errors/to-app-error.ts';

export type ErrorSummary = {
  type: string;
  code?: string;
  message?: string;
  /** Call that a peer answered with the error. */
  call?: string;
  /** `CODE field` or `path: code` of each fault, without the values. */
  faults?: string[];
  stack?: string;
  cause?: ErrorSummary;
};

const maxDepth = 4;
const maxMessageLength = 300;

/**
 * Summarises a failure for the log. Messages quote their input: a driver the row, `JSON.parse` the text, an `AppError`
 * the caller, a failed call the peer's text for the caller. So they are cut to the part that is known to be free of it,
 * or replaced by the catalogue's text for the code; stack frames tell the position.
 */
export function summariseError(error: unknown, depth = 0): ErrorSummary {
  if (!(error instanceof Error)) return { type: error === null ? 'null' : typeof error };
  const cause = findCause(error);
  const code = findCode(error);
  const call = isClientError(error) ? readName(error.data?.path) : undefined;
  const message = safeMessage(error);
  const faults = listFaults(error);
  const stack = extractFrames(error);
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(call === undefined ? {} : { call }),
    ...(faults.length > 0 ? { faults } : {}),
    ...(stack === '' ? {} : { stack }),
    ...(cause !== undefined && depth < maxDepth ? { cause: summariseError(cause, depth + 1) } : {}),
  };
}

/**
 * Returns the cause. Several failures at once, for example of all addresses of a host, have no message of their own.
 */
function findCause(error: Error): unknown {
  return error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
}

function findCode(error: Error): string | undefined {
  if (isClientError(error) && error.data) return readName(error.data.appCode) ?? readName(error.data.code);
  const { code } = error as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined;
}

/** Accepts the name of a code or a procedure; any other text is dropped. */
function readName(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z0-9_.]{1,100}$/.test(value) ? value : undefined;
}

function safeMessage(error: Error): string | undefined {
  // Its own message is written for the caller and may quote the caller.
  if (error instanceof AppError) return errorCatalogue[error.code].en;
  if (isClientError(error)) return safeCallMessage(error);
  // Quotes the values; `faults` has the rest.
  if (isIssueList(error)) return undefined;
  const line = firstLine(error);
  const masked = quotesInput(error) ? line.replaceAll(/(["'`]).*\1/g, '"…"') : line;
  return masked.length > maxMessageLength ? `${masked.slice(0, maxMessageLength)}…` : masked;
}

/**
 * Returns a safe message of a failed call. A peer's message is written for the caller, too; the bus's own message about
 * a lost call is safe.
 */
function safeCallMessage(error: ClientError): string | undefined {
  const { data, cause, meta } = error;
  if (meta?.bus !== undefined) return firstLine(error);
  if (isErrorCode(data?.appCode)) return errorCatalogue[data.appCode].en;
  if (data) return `the call ended with ${findCode(error) ?? 'an error without a code'}`;
  if (cause instanceof Error) return safeMessage(cause);
  return firstLine(error);
}

/**
 * Returns the first line. Drivers append the row's values (`detail`), the statement and its parameters in further
 * lines.
 */
function firstLine({ message }: Error): string {
  const [line = ''] = message.split('\n');
  return line;
}

/**
 * Tells whether the message quotes input: `JSON.parse` quotes the text it could not read; PostgreSQL's class 22 (data
 * exception) the value.
 */
function quotesInput(error: Error): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return error instanceof SyntaxError || severity !== undefined || /^22/.test(String(code ?? ''));
}

function isIssueList(error: Error): error is Error & { issues: { path?: unknown[]; code?: string }[] } {
  return Array.isArray((error as { issues?: unknown }).issues);
}

function listFaults(error: Error): string[] {
  if (error instanceof AppError) {
    return error.details.slice(0, 20).map(({ code, field }) => (field ? `${code} ${field}` : code));
  }
  if (!isIssueList(error)) return [];
  return error.issues.slice(0, 20).map(({ path, code }) => `${(path ?? []).join('.')}: ${code}`);
}

function extractFrames(error: Error): string {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12)
    .map((line) => line.trim())
    .join('\n');
}
