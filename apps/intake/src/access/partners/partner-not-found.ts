import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';

export function partnerNotFound(): AppError {
  return new AppError({ code: 'REQUEST_NOT_FOUND', text: createText('partner.notFound') });
}
