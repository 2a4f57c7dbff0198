import { AppError } from '@rubrica/process';

export function partnerNotFound(): AppError {
  return new AppError({ code: 'REQUEST_NOT_FOUND', publicMessage: 'There is no such partner' });
}
