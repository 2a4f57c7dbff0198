import { AppError } from '@rubrica/process';

/** Never with the parser's own words as cause: they quote the body. */
export const malformed = (publicMessage?: string): AppError =>
  new AppError({ code: 'BODY_MALFORMED', ...(publicMessage ? { publicMessage } : {}) });

export const crowded = (): AppError => malformed('The body is nested too deeply or has too many parts');
export const notUtf8 = (): AppError => malformed('The body is not UTF-8');
