import { STATUS_CODES } from 'node:http';
import { type ErrorDetail, type ErrorObject, errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { AppError } from '@rubrica/process/errors';
import { formatTimestamp } from '@rubrica/process/time';
import type { Language } from '../context.ts';
import { localize } from './localize.ts';

export interface ErrorContext {
  /** Path of the call, without its query. */
  readonly path: string;
  readonly traceId: string;
  readonly language: Language;
  readonly now: Date;
  readonly timeZone: string;
  /** Origin of the documentation. */
  readonly baseUrl: string;
}

/** Builds the body of every answer that is not 2xx (completion of the interface, section 2). */
export function toErrorObject(fault: AppError, situation: ErrorContext): ErrorObject {
  const { http } = errorCatalogue[fault.code];
  const { language } = situation;
  const errors = listDetails(fault).map((detail) => localize(detail, language));
  const messages = errors.map(({ message }) => message);
  return {
    timestamp: formatTimestamp(situation.now, situation.timeZone),
    status: http,
    error: STATUS_CODES[http] ?? 'Error',
    message: summarize(fault, messages, language),
    path: situation.path,
    code: fault.code,
    messages,
    errors,
    traceId: situation.traceId,
    docUrl: `${situation.baseUrl}/docs/${language}/errors#${fault.code}`,
  };
}

function listDetails(fault: AppError): readonly ErrorDetail[] {
  if (fault.details.length > 0) return fault.details;
  const { code, text, publicMessage: message } = fault;
  const { correctable, retryable } = errorCatalogue[code];
  return [{ code, message, text, correctable, retryable }];
}

/**
 * Returns the error's own text if it has one; otherwise the text of its only detail, or the catalogue's for several.
 */
function summarize(fault: AppError, messages: readonly string[], language: Language): string {
  const texts = errorCatalogue[fault.code];
  if (fault.publicMessage !== texts.en) return localizeFault(fault, language);
  return messages.length === 1 ? (messages[0] as string) : texts[language];
}

/** Renders the fault's own text in the language. */
export function localizeFault({ code, text, publicMessage }: AppError, language: Language): string {
  return localize({ code, text, message: publicMessage }, language).message;
}
