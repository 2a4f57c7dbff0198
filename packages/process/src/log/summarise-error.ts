import { AppError } from '../errors/app-error.ts';

export type ErrorSummary = {
  type: string;
  code?: string;
  message?: string;
  /** `CODE field` or `path: code` of each fault, without the values. */
  faults?: string[];
  stack?: string;
  cause?: ErrorSummary;
};

const maxDepth = 4;
const maxMessageLength = 300;

/**
 * What may be logged of a failure. Messages quote their input (a driver the row, `JSON.parse` the text, an
 * `AppError` the caller), so they are cut to what is known to be free of it; frames say where it happened.
 */
export function summariseError(error: unknown, depth = 0): ErrorSummary {
  if (!(error instanceof Error)) return { type: error === null ? 'null' : typeof error };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const message = safeMessage(error);
  const faults = faultsOf(error);
  const stack = framesOf(error);
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(message === undefined ? {} : { message }),
    ...(faults.length > 0 ? { faults } : {}),
    ...(stack === '' ? {} : { stack }),
    ...(cause !== undefined && depth < maxDepth ? { cause: summariseError(cause, depth + 1) } : {}),
  };
}

function safeMessage(error: Error): string | undefined {
  // Written for the caller, in the caller's words. (The message of an `AppError` is its code.)
  if (error.name === 'TRPCClientError' || isIssueList(error)) return undefined;
  // Only the first line: drivers append the row's values (`detail`), the statement and its parameters.
  const [line = ''] = error.message.split('\n');
  const masked = quotesInput(error) ? line.replaceAll(/(["'`]).*\1/g, '"…"') : line;
  return masked.length > maxMessageLength ? `${masked.slice(0, maxMessageLength)}…` : masked;
}

/** `JSON.parse` quotes the text it could not read; PostgreSQL's class 22 (data exception) the value. */
function quotesInput(error: Error): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return error instanceof SyntaxError || severity !== undefined || /^22/.test(String(code ?? ''));
}

function isIssueList(error: Error): error is Error & { issues: { path?: unknown[]; code?: string }[] } {
  return Array.isArray((error as { issues?: unknown }).issues);
}

function faultsOf(error: Error): string[] {
  if (error instanceof AppError) {
    return error.details.slice(0, 20).map(({ code, field }) => (field ? `${code} ${field}` : code));
  }
  if (!isIssueList(error)) return [];
  return error.issues.slice(0, 20).map(({ path, code }) => `${(path ?? []).join('.')}: ${code}`);
}

function framesOf(error: Error): string {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12)
    .map((line) => line.trim())
    .join('\n');
}
